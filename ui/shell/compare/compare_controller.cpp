#include "ui/shell/compare/compare_controller.h"

#include "ui/shell/compare/compare_dialog.h"
#include "ui/shell/compare/compare_window.h"
#include "ui/shell/run/run_controller.h"

namespace lockscope::ui {

namespace {
const QString kKey = QStringLiteral("compare");
}

CompareController::CompareController(RunController* control, Theme* theme, QWidget* window)
    : QObject(window)
    , m_control(control)
    , m_theme(theme)
    , m_window(window)
{
    connect(&m_job, &CompareJob::progress, this, [this](const TextProvider& words) {
        const auto stop = [this] {
            m_job.cancel();
            emit messageDismissed(kKey);
        };
        emit messagePosted({.key = kKey,
                            .kind = UserMessage::Kind::progress,
                            .text = words,
                            //: a button: stops the comparison
                            .actionText = [] { return tr("Cancel"); },
                            .action = stop,
                            .percent = -1,
                            .persistent = true});
    });
    connect(&m_job, &CompareJob::done, this, &CompareController::open);
    connect(&m_job, &CompareJob::failed, this, [this](const Error& error) {
        emit messageDismissed(kKey);
        emit messagePosted(errorMessage(kKey, error));
    });
}

void CompareController::compareWithCurrentRun()
{
    CompareSource present;
    present.store = m_control->store();
    present.label = m_control->sourceLabel().isEmpty() ? m_control->scenarioName() : m_control->sourceLabel();
    if (!present.store) {
        emit messagePosted({.key = kKey, .kind = UserMessage::Kind::info, .text = [] {
                                return tr("There is no run to compare.");
                            }});
        return;
    }
    ask(std::move(present));
}

void CompareController::compareTwo() { ask({}); }

void CompareController::ask(CompareSource present)
{
    auto* dialog = new CompareDialog(std::move(present), m_theme, m_window);
    connect(dialog, &CompareDialog::chosen, this, [this](const std::array<CompareSource, 2>& sources) {
        m_job.start(sources, m_control->setup().connect);
    });
    dialog->open();
}

void CompareController::open(const ComparedRunPtr& a, const ComparedRunPtr& b)
{
    emit messageDismissed(kKey);
    auto* window = new CompareWindow(a, b, m_theme, m_window);
    window->show();
    emit opened(window);
}

} // namespace lockscope::ui

#include "moc_compare_controller.cpp"
