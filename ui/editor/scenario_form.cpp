#include "ui/editor/scenario_form.h"

#include "ui/editor/clients_page.h"
#include "ui/editor/draft.h"
#include "ui/editor/expect_page.h"
#include "ui/editor/field.h"
#include "ui/editor/form.h"
#include "ui/editor/form_page.h"
#include "ui/editor/form_rows.h"
#include "ui/editor/script_page.h"
#include "ui/models/style/theme.h"

#include <QComboBox>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

namespace {

QWidget* titled(const QString& title, QWidget* below, QWidget* parent)
{
    auto* both = new QWidget(parent);
    auto* column = new QVBoxLayout(both);
    column->setContentsMargins(0, 0, 0, 0);
    auto* label = new QLabel(title, both);
    label->setBuddy(below);
    label->setContentsMargins(2, 6, 0, 2);
    column->addWidget(label);
    column->addWidget(below, 1);
    return both;
}

} // namespace

ScenarioForm::ScenarioForm(Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_tabs(new QTabWidget(this))
    , m_preview(new QPlainTextEdit(this))
    , m_lock(new FormPage(m_tabs))
    , m_clients(new ClientsPage(m_tabs))
    , m_work(new FormPage(m_tabs))
    , m_script(new ScriptPage(m_tabs))
{
    m_tabs->setObjectName("pages");
    m_tabs->setDocumentMode(true);
    m_tabs->tabBar()->setDrawBase(false);
    auto* description = new FormPage(m_tabs);
    addDescriptionRows(description->form());
    addLockRows(m_lock->form());
    addWorkRows(m_work->form(), WorkOf::allClients);
    auto* run = new FormPage(m_tabs);
    addRunRows(run->form());
    //: a tab: what the scenario is about, in words
    addPage(description, tr("Description"));
    //: a tab: which clients there are
    addPage(m_clients, tr("Clients"));
    //: a tab, a noun: the recipe and the paths of the locks
    addPage(m_lock, tr("Lock"));
    //: a tab: what the clients do
    addPage(m_work, tr("Work"));
    //: a tab: the length and the order of the run
    addPage(run, tr("Run"));
    //: a tab: the faults and other actions of the run
    addPage(m_script, tr("Script"));
    //: a tab: which findings are expected to be kept or violated
    addPage(new ExpectPage(m_tabs), tr("Expected"));
    m_preview->setObjectName("preview");
    m_preview->setReadOnly(true);
    m_preview->setTabChangesFocus(true);
    m_preview->setAccessibleName(tr("Saved file"));
    auto* halves = new QSplitter(Qt::Horizontal, this);
    halves->addWidget(m_tabs);
    halves->addWidget(titled(tr("Saved &file"), m_preview, this));
    halves->setStretchFactor(0, 3);
    halves->setStretchFactor(1, 2);
    halves->setChildrenCollapsible(false);
    halves->setSizes({640, 400});
    auto* row = new QVBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(halves);
    connect(theme, &Theme::changed, this, &ScenarioForm::applyTheme);
    applyTheme();
}

void ScenarioForm::addPage(FormPage* page, const QString& title)
{
    m_pages.push_back(page);
    m_titles += title;
    m_tabs->addTab(page, title);
    connect(page, &FormPage::changed, this, &ScenarioForm::check);
}

void ScenarioForm::applyTheme()
{
    const Palette& palette = m_theme->palette();
    setStyleSheet(
        QStringLiteral("QLabel[kind=\"mistake\"] { color: %1; }"
                       "QLabel[kind=\"hint\"] { color: %2; }"
                       "QLineEdit[wrong=\"true\"], QPlainTextEdit[wrong=\"true\"], "
                       "QSpinBox[wrong=\"true\"], QComboBox[wrong=\"true\"] { border: 1px solid %3; }"
                       "#formContent { background: %4; }"
                       "QTabWidget::pane { background: %4; border: 1px solid %5; }")
            .arg(palette.staleText.name(), palette.textMuted.name(), palette.stale.name(),
                 palette.card.name(), palette.cardBorder.name()));
    m_preview->setFont(m_theme->fonts().mono);
}

void ScenarioForm::load(const sim::Scenario& scenario)
{
    m_loading = true;
    m_name = QString::fromStdString(scenario.name);
    for (FormPage* page : m_pages) {
        page->load(scenario);
    }
    m_loading = false;
    check();
}

void ScenarioForm::setName(const QString& name)
{
    m_name = name;
    check();
}

QString ScenarioForm::toml() const
{
    return m_scenario ? QString::fromStdString(sim::toToml(*m_scenario)) : QString();
}

Recipe ScenarioForm::recipe() const
{
    const auto* choice = m_lock->findChild<QComboBox*>("recipe");
    return sim::parseRecipe(choice->currentData().toString().toStdString()).value_or(Recipe::mutex);
}

// Fields that the recipe hides are not written.
void ScenarioForm::check()
{
    if (m_loading) {
        return;
    }
    const Recipe recipe = this->recipe();
    for (const FormPage* page : {m_lock, m_work}) {
        page->form().showFieldsFor(recipe);
    }
    m_clients->showFieldsFor(recipe);
    Draft draft;
    for (const FormPage* page : m_pages) {
        page->write(draft);
    }
    m_clients->writeNamed(draft);
    const Draft::CheckResult checked = draft.check(m_name);
    for (Field* field : findChildren<Field*>()) {
        const auto mistake = std::find_if(checked.mistakes.begin(), checked.mistakes.end(),
                                          [field](const auto& one) { return one.field == field; });
        field->setMistake(mistake == checked.mistakes.end() ? QString() : mistake->text);
    }
    m_invalidFields.clear();
    for (const Draft::Mistake& mistake : checked.mistakes) {
        m_invalidFields.push_back(mistake.field);
    }
    m_scenario = checked.scenario;
    if (m_scenario) {
        m_script->setNames(*m_scenario);
        m_clients->setDefaults(*m_scenario);
    }
    showMistakes();
    emit changed();
}

void ScenarioForm::showMistakes()
{
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        const auto count =
            std::count_if(m_invalidFields.begin(), m_invalidFields.end(),
                          [&](const Field* field) { return field && m_pages[i]->isAncestorOf(field); });
        const auto at = static_cast<int>(i);
        m_tabs->setTabText(at, count == 0 ? m_titles[at] : tr("%1 (%2 !)").arg(m_titles[at]).arg(count));
    }
    const QString text = m_scenario ? toml() : tr("Correct the mistakes in the form to see the file.");
    if (text != m_preview->toPlainText()) {
        const int scrolled = m_preview->verticalScrollBar()->value();
        m_preview->setPlainText(text);
        m_preview->verticalScrollBar()->setValue(scrolled);
    }
}

int ScenarioForm::page() const { return m_tabs->currentIndex(); }

void ScenarioForm::showPage(int page) { m_tabs->setCurrentIndex(page); }

void ScenarioForm::focusTitle()
{
    showPage(0);
    m_pages.front()->findChild<Field*>()->control()->setFocus();
}

void ScenarioForm::showFirstMistake()
{
    if (m_invalidFields.empty() || !m_invalidFields.front()) {
        return;
    }
    for (FormPage* page : m_pages) {
        if (page->isAncestorOf(m_invalidFields.front())) {
            m_tabs->setCurrentWidget(page);
            page->ensureWidgetVisible(m_invalidFields.front());
        }
    }
    m_invalidFields.front()->control()->setFocus();
}

} // namespace lockscope::ui

#include "moc_scenario_form.cpp"
