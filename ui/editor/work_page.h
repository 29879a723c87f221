// The page of the common workload, used by all clients without one of their own. GUI thread.
#pragma once

#include "ui/editor/form_page.h"

namespace lockscope::ui {

class WorkForm;

class WorkPage : public FormPage
{
    Q_OBJECT
public:
    explicit WorkPage(QWidget* parent);
    void load(const sim::Scenario& scenario) override;
    void write(Draft& draft) const override;
    void showFieldsFor(Recipe recipe);

private:
    WorkForm* m_work;
};

} // namespace lockscope::ui
