// The page of the expected findings. GUI thread.
#pragma once

#include "ui/editor/form_page.h"

#include <vector>

namespace lockscope::ui {

class Field;

class ExpectPage : public FormPage
{
    Q_OBJECT
public:
    explicit ExpectPage(QWidget* parent);
    void load(const sim::Scenario& scenario) override;
    void write(Draft& draft) const override;

private:
    std::vector<Field*> m_findings;
    std::vector<Field*> m_named; // in the scenario's order; even with the default outcome
};

} // namespace lockscope::ui
