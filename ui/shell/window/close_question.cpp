#include "ui/shell/window/close_question.h"

#include "ui/shell/run/bookmarks_controller.h"
#include "ui/shell/run/run_controller.h"
#include "ui/widgets/ask_for_file.h"

#include <QAction>
#include <QCheckBox>
#include <QLineEdit>
#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {
constexpr std::size_t kMaxNamedRuns = 5;
}

CloseQuestion::CloseQuestion(RunController* control, BookmarksController* bookmarks, QAction* asks,
                             Settings settings, QMainWindow* window)
    : QObject(window)
    , m_control(control)
    , m_bookmarks(bookmarks)
    , m_asks(asks)
    , m_settings(settings)
    , m_window(window)
{
    m_asks->setChecked(m_settings.get(settings::kAsksToSave));
    connect(m_asks, &QAction::toggled, this, [this](bool on) { m_settings.set(settings::kAsksToSave, on); });
    connect(control, &RunController::savedTrace, this, [this](const QString&, const Store& store) {
        if (store == std::exchange(m_saving, nullptr)) {
            m_saved.push_back(store);
            saveNext();
        }
    });
}

std::vector<CloseQuestion::Unsaved> CloseQuestion::unsaved() const
{
    std::vector<Unsaved> runs;
    const auto hasNotes = [this](const Store& store) { return m_bookmarks->unsavedCount(store) > 0; };
    for (const RunController::KeptRun& run : m_control->unsavedRuns(hasNotes)) {
        if (std::ranges::any_of(m_saved, [&](const auto& one) { return one.lock() == run.store; })) {
            continue; // it may have had more events since
        }
        const auto notes = static_cast<int>(m_bookmarks->unsavedCount(run.store));
        runs.push_back(
            {notes > 0 ? tr("%1 · %Ln bookmark(s)", nullptr, notes).arg(run.label) : run.label, run.store});
    }
    return runs;
}

bool CloseQuestion::mayClose()
{
    if (const auto* field = qobject_cast<QLineEdit*>(m_window->focusWidget())) {
        field->parentWidget()->setFocus(Qt::OtherFocusReason); // keeps what is being typed
    }
    if (m_agreed || !m_asks->isChecked()) {
        return true;
    }
    const std::vector<Unsaved> runs = unsaved();
    if (runs.empty()) {
        return true;
    }
    ask(runs);
    return false;
}

void CloseQuestion::ask(const std::vector<Unsaved>& runs)
{
    delete m_question;
    QStringList lines;
    for (std::size_t i = 0; i < std::min(runs.size(), kMaxNamedRuns); ++i) {
        lines << runs[i].words;
    }
    if (runs.size() > kMaxNamedRuns) {
        lines << tr("and %Ln more", nullptr, static_cast<int>(runs.size() - kMaxNamedRuns));
    }
    auto* question = new QMessageBox(QMessageBox::Question, tr("Close LockScope"),
                                     tr("Save what is in no file yet?"), QMessageBox::NoButton, m_window);
    m_question = question;
    question->setObjectName("closeQuestion");
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setTextFormat(Qt::PlainText);
    question->setInformativeText(lines.join(u'\n'));
    auto* always =
        new QCheckBox(tr("From now on, discard without asking (Ask to Save in the File menu undoes it)"));
    question->setCheckBox(always);
    auto* save =
        question->addButton(runs.size() == 1 ? tr("&Save…") : tr("&Save All…"), QMessageBox::AcceptRole);
    auto* drop = question->addButton(tr("&Discard"), QMessageBox::DestructiveRole);
    auto* stay = question->addButton(tr("Cancel"), QMessageBox::RejectRole);
    question->setDefaultButton(save);
    question->setEscapeButton(stay);
    connect(save, &QPushButton::clicked, this, &CloseQuestion::saveNext, Qt::QueuedConnection);
    connect(drop, &QPushButton::clicked, this, [this, always] {
        if (always->isChecked()) {
            m_asks->setChecked(false);
        }
        QMetaObject::invokeMethod(this, &CloseQuestion::close, Qt::QueuedConnection);
    });
    question->open();
}

// One dialog for each run. Closes the window after the last one; a canceled dialog keeps it open.
void CloseQuestion::saveNext()
{
    const std::vector<Unsaved> runs = unsaved();
    if (runs.empty()) {
        return close();
    }
    const Unsaved& run = runs.front();
    const int number = static_cast<int>(m_saved.size()) + 1;
    askForFile({.title = tr("Save %1").arg(run.words),
                .filters = {tr("Traces (*.jsonl)")},
                .suffix = "jsonl",
                .name = m_control->suggestedName() + (runs.size() + m_saved.size() > 1
                                                          ? QStringLiteral("-%1.jsonl").arg(number)
                                                          : QStringLiteral(".jsonl"))},
               m_window, [this, store = run.store](const QString& path) {
                   m_saving = store;
                   m_control->saveRun(path, store);
               });
}

void CloseQuestion::close()
{
    m_agreed = true;
    m_window->close();
}

} // namespace lockscope::ui

#include "moc_close_question.cpp"
