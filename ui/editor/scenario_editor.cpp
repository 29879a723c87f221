#include "ui/editor/scenario_editor.h"

#include "ui/editor/scenario_form.h"
#include "ui/models/run/atomic_file.h"
#include "ui/models/style/command_table.h"
#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"
#include "ui/models/style/theme.h"
#include "ui/models/style/window_size.h"
#include "ui/texts/core_messages.h"
#include "ui/widgets/ask_for_file.h"

#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace lockscope::ui {

namespace {

constexpr QSize kDefaultSize(1080, 760);
constexpr int kDialogMargin = 14;
constexpr int kShownTitle = 60;

QString shownName(const QString& path) { return format::plain(QFileInfo(path).fileName().toStdString()); }

} // namespace

ScenarioEditor::ScenarioEditor(Theme* theme, QWidget* parent)
    : QDialog(parent)
    , m_theme(theme)
    , m_column(new QVBoxLayout(this))
    , m_state(new QLabel(this))
    , m_undo(new QPushButton(this))
    , m_redo(new QPushButton(this))
    , m_save(new QPushButton(this))
    , m_saveAs(new QPushButton(this))
    , m_run(new QPushButton(this))
    , m_close(new QPushButton(this))
{
    setObjectName("scenarioEditor");
    resize(sizeOnScreen(kDefaultSize, *screen()));
    assemble();
    makeForm();
    onRetranslate(this, [this] { retranslate(); });
    onLanguageChange(this, [this] {
        QMetaObject::invokeMethod(this, &ScenarioEditor::rebuildForm, Qt::QueuedConnection);
    });
}

void ScenarioEditor::makeForm()
{
    m_form = new ScenarioForm(m_theme, this);
    m_formLocale = QLocale();
    m_column->insertWidget(0, m_form, 1);
    connect(m_form, &ScenarioForm::changed, this, [this] {
        m_status = {};
        remember();
        refresh();
        if (m_formLocale != QLocale()) {
            QMetaObject::invokeMethod(this, &ScenarioEditor::rebuildForm, Qt::QueuedConnection);
        }
    });
}

// Rebuilds the form in the new language. A form with mistakes stays until they are corrected, because its
// text would be lost.
void ScenarioEditor::rebuildForm()
{
    if (m_formLocale == QLocale() || !m_form->scenario()) {
        return;
    }
    ScenarioForm* old = m_form;
    makeForm();
    sim::Scenario same = *old->scenario();
    same.name = old->name().toStdString();
    m_form->load(same);
    m_form->showPage(old->page());
    delete old;
    m_form->show();
    refresh();
}

void ScenarioEditor::retranslate()
{
    m_undo->setText(tr("&Undo"));
    m_undo->setShortcut(keysOf("editor.undo").value(0));
    m_undo->setToolTip(tr("Takes the last change back (Ctrl+Z)."));
    m_redo->setText(tr("R&edo"));
    m_redo->setShortcut(keysOf("editor.redo").value(0));
    m_redo->setToolTip(tr("Makes the change again that was taken back (Ctrl+Shift+Z)."));
    m_save->setText(tr("&Save"));
    m_save->setShortcut(keysOf("editor.save").value(0));
    m_save->setToolTip(tr("Saves the file (Ctrl+S)."));
    m_saveAs->setText(tr("Save &As…"));
    m_saveAs->setToolTip(tr("Saves to another file. A built-in scenario is not changed."));
    m_run->setText(tr("&Run"));
    m_run->setShortcut(keysOf("editor.run").value(0)); // setText() removes the shortcut
    m_run->setToolTip(tr("Runs the scenario as shown here, saved or not (Ctrl+Return)."));
    m_close->setText(tr("&Close"));
}

void ScenarioEditor::assemble()
{
    m_state->setObjectName("editorState");
    m_state->setTextFormat(Qt::PlainText);
    m_state->setWordWrap(true);
    m_undo->setObjectName("undoEdit");
    m_redo->setObjectName("redoEdit");
    m_save->setObjectName("saveScenario");
    m_saveAs->setObjectName("saveScenarioAs");
    m_run->setObjectName("runScenario");
    m_run->setProperty("kind", "primary");
    m_close->setObjectName("closeEditor");
    auto* row = new QHBoxLayout;
    row->addWidget(m_state, 1);
    for (QPushButton* button : {m_undo, m_redo, m_save, m_saveAs, m_close, m_run}) {
        button->setAutoDefault(false); // Return in a field must not press a button
        row->addWidget(button);
    }
    m_column->setContentsMargins(kDialogMargin, kDialogMargin, kDialogMargin, kDialogMargin);
    m_column->addLayout(row);
    connect(m_undo, &QPushButton::clicked, this, &ScenarioEditor::undo);
    connect(m_redo, &QPushButton::clicked, this, &ScenarioEditor::redo);
    qApp->installEventFilter(this);
    connect(m_save, &QPushButton::clicked, this, &ScenarioEditor::save);
    connect(m_saveAs, &QPushButton::clicked, this, &ScenarioEditor::saveAs);
    connect(m_run, &QPushButton::clicked, this, &ScenarioEditor::run);
    connect(m_close, &QPushButton::clicked, this, &ScenarioEditor::reject);
}

sim::Scenario ScenarioEditor::defaultScenario()
{
    sim::Scenario scenario;
    scenario.name = "scenario";
    scenario.title = tr("New scenario").toStdString();
    scenario.work.cycles = 10;
    scenario.work.hold = {std::chrono::milliseconds(50), std::chrono::milliseconds(150)};
    return scenario;
}

void ScenarioEditor::edit(const sim::Scenario& scenario, const QString& path)
{
    m_path = path;
    if (const auto saved =
            path.isEmpty() ? Result<sim::Scenario>(scenario) : sim::loadScenario(path.toStdString())) {
        m_form->load(*saved);
        m_savedText = m_form->toml();
    } else {
        m_savedText.clear(); // the file is missing or invalid
    }
    m_form->load(scenario);
    m_states = {scenario};
    m_at = 0;
    m_form->focusTitle();
    m_status = {};
    refresh();
}

bool ScenarioEditor::unsaved() const { return !m_form->scenario() || m_form->toml() != m_savedText; }

void ScenarioEditor::refresh()
{
    const QString name = m_path.isEmpty() ? m_form->name() : shownName(m_path);
    setWindowTitle(tr("Edit %1%2 - LockScope").arg(format::plain(name.toStdString()), unsaved() ? "*" : ""));
    const bool right = m_form->scenario().has_value();
    for (QPushButton* button : {m_save, m_saveAs, m_run}) {
        button->setEnabled(right);
    }
    if (!right) {
        m_state->setText(
            tr("%Ln mistakes, marked in the form and on the tabs.", nullptr, m_form->mistakes()));
    } else if (m_status) {
        m_state->setText(m_status());
    } else {
        m_state->setText(unsaved() ? tr("Unsaved changes.") : QString());
    }
    m_state->setAccessibleName(m_state->text());
    m_undo->setEnabled(m_at > 0 || !right);
    m_redo->setEnabled(m_at + 1 < m_states.size());
}

void ScenarioEditor::remember()
{
    if (m_restoring || m_states.empty() || !m_form->scenario()) {
        return;
    }
    const QWidget* edited = std::exchange(m_edited, focusWidget());
    m_states.resize(m_at + 1);
    if (m_at == 0 || !edited || edited != m_edited) {
        m_states.emplace_back();
        ++m_at;
    }
    m_states.back() = *m_form->scenario();
    m_states.back().name = m_form->name().toStdString();
}

void ScenarioEditor::restore(std::size_t state)
{
    m_restoring = true;
    m_at = state;
    m_edited = nullptr;
    m_form->load(m_states[m_at]);
    m_restoring = false;
    m_status = {};
    refresh();
}

void ScenarioEditor::undo() { restore(m_form->scenario() && m_at > 0 ? m_at - 1 : m_at); }

void ScenarioEditor::redo()
{
    if (m_at + 1 < m_states.size()) {
        restore(m_at + 1);
    }
}

bool ScenarioEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride || !watched->isWidgetType() ||
        static_cast<QWidget*>(watched)->window() != this) {
        return QDialog::eventFilter(watched, event);
    }
    const auto* key = static_cast<QKeyEvent*>(event);
    const QKeySequence pressed(key->keyCombination());
    const bool ours = pressed == m_undo->shortcut() || pressed == m_redo->shortcut();
    if (ours) {
        event->ignore();
    }
    return ours;
}

void ScenarioEditor::showStatus(TextProvider text)
{
    m_status = std::move(text);
    refresh();
}

void ScenarioEditor::save()
{
    saveThen([] {});
}

void ScenarioEditor::saveAs()
{
    saveAsThen([] {});
}

void ScenarioEditor::saveThen(const std::function<void()>& then)
{
    if (m_path.isEmpty()) {
        saveAsThen(then);
    } else if (saveTo(m_path)) {
        then();
    }
}

void ScenarioEditor::saveAsThen(const std::function<void()>& then)
{
    if (!m_form->scenario()) {
        m_form->showFirstMistake();
        return;
    }
    const QFileInfo file(m_path);
    askForFile({.title = tr("Save Scenario"),
                .folder = m_path.isEmpty() ? QString() : file.path(),
                .filters = {tr("Scenarios (*.toml)")},
                .suffix = "toml",
                .name = m_path.isEmpty() ? m_form->name() + ".toml" : file.fileName()},
               this,
               [this, then](const QString& path) {
                   if (saveTo(path)) {
                       then();
                   }
               })
        ->setObjectName("saveScenarioDialog");
}

bool ScenarioEditor::saveTo(const QString& path)
{
    const QString formerName = m_form->name();
    m_form->setName(QFileInfo(path).completeBaseName());
    if (!m_form->scenario()) {
        m_form->setName(formerName);
        m_form->showFirstMistake();
        return false;
    }
    AtomicFile file(path);
    const QByteArray content = m_form->toml().toUtf8();
    if (!file.put(content)) {
        m_form->setName(formerName);
        showStatus([path, reason = file.fault()] {
            return translateMessage(message("The scenario %1 cannot be written: %2.",
                                            shownName(path).toStdString(), reason.toStdString()));
        });
        return false;
    }
    m_path = path;
    m_savedText = m_form->toml();
    showStatus([path] { return tr("Saved %1.").arg(shownName(path)); });
    emit saved(path);
    return true;
}

// Runs the scenario as it would be read from its file.
void ScenarioEditor::run()
{
    if (!m_form->scenario()) {
        m_form->showFirstMistake();
        return;
    }
    const std::string name = m_form->name().toStdString();
    const auto scenario = sim::parseScenario(m_form->toml().toStdString(), name + ".toml");
    if (scenario) {
        const QString title = format::plain(scenario->title.empty() ? name : scenario->title, kShownTitle);
        emit runWanted(*scenario, m_path.isEmpty() ? tr("%1 (edited)").arg(title) : shownName(m_path),
                       m_path);
    } else {
        showStatus([error = scenario.error()] { return errorText(error).text; });
    }
}

void ScenarioEditor::reject()
{
    if (!unsaved()) {
        QDialog::reject();
        return;
    }
    askToSave([this] { QDialog::reject(); });
}

void ScenarioEditor::askToSave(std::function<void()> done)
{
    delete m_question;
    auto* question = new QMessageBox(QMessageBox::Question, tr("Unsaved Changes"),
                                     tr("You have unsaved changes."), QMessageBox::NoButton, this);
    m_question = question;
    question->setObjectName("unsavedQuestion");
    question->setAttribute(Qt::WA_DeleteOnClose);
    auto* stay = question->addButton(tr("Keep &Editing"), QMessageBox::RejectRole);
    question->setDefaultButton(stay);
    if (m_form->scenario()) { // one with mistakes cannot be saved
        auto* save =
            question->addButton(m_path.isEmpty() ? tr("&Save As…") : tr("&Save"), QMessageBox::AcceptRole);
        connect(save, &QPushButton::clicked, this, [this, done] { saveThen(done); });
    }
    auto* drop = question->addButton(tr("&Discard"), QMessageBox::DestructiveRole);
    connect(drop, &QPushButton::clicked, this, [done = std::move(done)] { done(); });
    question->open();
}

} // namespace lockscope::ui

#include "moc_scenario_editor.cpp"
