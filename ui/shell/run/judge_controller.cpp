#include "ui/shell/run/judge_controller.h"

#include "core/engine/program_faults.h"
#include "core/replay/findings/claims.h"
#include "ui/models/run/run_model.h"
#include "ui/models/style/format.h"
#include "ui/shell/run/run_controller.h"
#include "ui/shell/window/actions.h"
#include "ui/texts/core_messages.h"

#include <QMainWindow>
#include <QProcess>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {
const QString kVerdictKey = QStringLiteral("verdict");
const Setting<QString> kJudged{"judge/program"};
} // namespace

JudgeController::JudgeController(RunController* control, RunModel* model, Actions* actions,
                                 const Theme* theme, Settings settings, QMainWindow* window)
    : QObject(window)
    , m_control(control)
    , m_model(model)
    , m_theme(theme)
    , m_settings(settings)
    , m_window(window)
{
    m_last.command = m_settings.get(kJudged);
    actions->on("judge", this, &JudgeController::ask);
    connect(model, &RunModel::phaseChanged, this, &JudgeController::tell);
    connect(model, &RunModel::runChanged, this, [this] { emit messageDismissed(kVerdictKey); });
}

void JudgeController::ask()
{
    auto* dialog = new JudgeDialog(m_last, m_theme, m_window);
    connect(dialog, &JudgeDialog::chosen, this, &JudgeController::start);
    dialog->open();
}

void JudgeController::start(const JudgeChoice& choice)
{
    m_last = choice;
    m_settings.set(kJudged, choice.command);
    engine::Programs programs;
    for (const QString& word : QProcess::splitCommand(choice.command))
        programs.command.push_back(word.toStdString());
    programs.harsh = choice.harsh;
    m_control->startJudged(programs,
                           engine::judgedScenario(static_cast<std::uint32_t>(choice.copies),
                                                  static_cast<std::uint64_t>(choice.seed),
                                                  std::chrono::seconds(choice.seconds)),
                           choice.command);
}

void JudgeController::tell()
{
    engine::Engine* engine = m_model->engine();
    if (!m_control->judges() || !engine || engine->phase() != engine::Phase::finished || !engine->over() ||
        engine->trace() != m_control->store() || m_told.lock() == engine->trace())
        return;
    m_told = engine->trace();
    const replay::ClaimsJudged claims = replay::judgeClaims(*engine->trace());
    const auto told = [](const Message& text) { return translateMessage(text, format::kMessageLength); };
    UserMessage message{.key = kVerdictKey, .kind = UserMessage::Kind::warning};
    switch (claims.verdict()) {
    case replay::ClaimsJudged::Verdict::notJudged:
        message.text = [told, why = claims.whyNot] {
            return tr("The program cannot be judged. %1").arg(told(why));
        };
        break;
    case replay::ClaimsJudged::Verdict::violated: {
        const auto first = std::ranges::find_if(
            claims.rules, [](const replay::ClaimVerdict& rule) { return rule.violated > 0; });
        const auto rules = static_cast<int>(std::ranges::count_if(
            claims.rules, [](const replay::ClaimVerdict& rule) { return rule.violated > 0; }));
        message.text = [told, rules, what = first->what] {
            return tr("The lock is not right: %Ln rules are violated. %1", nullptr, rules).arg(told(what));
        };
        message.hint = [told, rule = first - claims.rules.begin()] {
            return told(replay::claimRules()[static_cast<std::size_t>(rule)].advice);
        };
        message.actionText = [] { return tr("Show Event"); };
        message.action = [this, event = first->event] { m_model->goToEvent(event); };
        break;
    }
    case replay::ClaimsJudged::Verdict::sound:
        message.kind = UserMessage::Kind::info;
        std::uint64_t met = 0;
        for (const auto& [fault, times] : claims.plan)
            met += times.met;
        message.text = [met, times = claims.claims] {
            return tr("No rule is violated: %Ln planned faults met a copy, and the lock was acquired %1 "
                      "times.",
                      nullptr, static_cast<int>(met))
                .arg(format::count(times));
        };
        message.hint = [] { return tr("That is no proof. Try other seeds, harsh faults and more time."); };
        break;
    }
    emit messagePosted(message);
}

} // namespace lockscope::ui

#include "moc_judge_controller.cpp"
