// The page of the locks: paths, recipe, and the protected resource. GUI thread.
#pragma once

#include "ui/editor/form_page.h"

class QCheckBox;
class QPlainTextEdit;
class QSpinBox;

namespace lockscope::ui {

class ChoiceField;

class LockPage : public FormPage
{
    Q_OBJECT
public:
    explicit LockPage(QWidget* parent);
    void load(const sim::Scenario& scenario) override;
    void write(Draft& draft) const override;
    Recipe recipe() const;

private:
    void showOptions();
    QPlainTextEdit* m_locks;
    ChoiceField* m_recipe;
    QSpinBox* m_leases;
    ChoiceField* m_handoff;
    ChoiceField* m_resource;
    QSpinBox* m_stock;
    QCheckBox* m_fenced;
};

} // namespace lockscope::ui
