#include "ui/editor/work_page.h"

#include "ui/editor/work_form.h"

#include <QVBoxLayout>

namespace lockscope::ui {

WorkPage::WorkPage(QWidget* parent)
    : FormPage(parent)
    , m_work(new WorkForm(WorkForm::Owner::allClients, content()))
{
    column()->addWidget(m_work);
    connect(m_work, &WorkForm::changed, this, &WorkPage::changed);
}

void WorkPage::load(const sim::Scenario& scenario) { m_work->load(scenario.work, scenario.locks); }
void WorkPage::write(Draft& draft) const { m_work->write(draft); }
void WorkPage::showFieldsFor(Recipe recipe) { m_work->showFieldsFor(recipe); }

} // namespace lockscope::ui

#include "moc_work_page.cpp"
