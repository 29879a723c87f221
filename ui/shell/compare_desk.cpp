#include "ui/shell/compare_desk.h"

#include "ui/shell/compare_dialog.h"
#include "ui/shell/compare_window.h"
#include "ui/shell/run_control.h"

namespace lockscope::ui {

namespace {
const QString kKey = QStringLiteral("compare");
}

CompareDesk::CompareDesk(RunControl* control, Look* look, QWidget* window)
    : QObject(window)
    , m_control(control)
    , m_look(look)
    , m_window(window)
{
    connect(&m_job, &CompareJob::progress, this, [this](const Wording& words) {
        const auto stop = [this] {
            m_job.cancel();
            emit unsaid(kKey);
        };
        emit said({.key = kKey,
                   .kind = Message::Kind::progress,
                   .text = words,
                   .actionText = [] { return tr("Cancel"); },
                   .action = stop,
                   .percent = -1,
                   .stays = true});
    });
    connect(&m_job, &CompareJob::done, this, &CompareDesk::open);
    connect(&m_job, &CompareJob::failed, this, [this](const Error& error) {
        emit unsaid(kKey);
        emit said(errorMessage(kKey, error));
    });
}

void CompareDesk::compareWithPresent()
{
    CompareSource present;
    present.store = m_control->store();
    present.label =
        m_control->scenarioName().isEmpty() ? m_control->sourceLabel() : m_control->scenarioName();
    if (!present.store) {
        emit said({.key = kKey, .kind = Message::Kind::info, .text = [] {
                       return tr("There is no run to compare yet.");
                   }});
        return;
    }
    ask(std::move(present));
}

void CompareDesk::compareTwo() { ask({}); }

void CompareDesk::ask(CompareSource present)
{
    auto* dialog = new CompareDialog(std::move(present), m_window);
    connect(dialog, &CompareDialog::chosen, this, [this](const std::array<CompareSource, 2>& sources) {
        m_job.start(sources, m_control->setup().connect);
    });
    dialog->open();
}

void CompareDesk::open(const ComparedRunPtr& a, const ComparedRunPtr& b)
{
    emit unsaid(kKey);
    auto* window = new CompareWindow(a, b, m_look, m_window);
    window->show();
    emit opened(window);
}

} // namespace lockscope::ui
