// What the laboratory does: limits, links, steps held by hand, the protected thing's content, members of an
// ensemble.
#include "ui/chain/event_explainer.h"
#include "ui/chain/next_step.h"
#include "ui/models/core_messages.h"
#include "ui/models/format.h"

namespace lockscope::ui {

Explanation EventExplainer::operator()(const trace::MemberState& e) const
{
    const QString member = format::plain(e.member, 20);
    switch (e.phase) {
    case trace::ServerPhase::starting:
        return {withWhom(tr("Server %1 is starting.").arg(member)), {}};
    case trace::ServerPhase::ready:
        return {withWhom(e.mode.empty() ? tr("Server %1 answers.").arg(member)
                                        : tr("Server %1 answers; it is the %2.")
                                              .arg(member, translateCoreText(e.mode, 20))),
                tr("Every write goes through the leader and counts when most of the servers have it.")};
    case trace::ServerPhase::down:
        return {withWhom(tr("Server %1 does not answer.").arg(member)),
                tr("As long as most of the servers agree, the locks go on.")};
    case trace::ServerPhase::stopped:
        break;
    }
    return {withWhom(tr("Server %1 was stopped.").arg(member)), {}};
}

Explanation EventExplainer::operator()(const trace::LockLimit& e) const
{
    return {withWhom(tr("From now on %n may hold at once.", nullptr, static_cast<int>(e.permits))),
            tr("Each holder has a node of its own; a client beyond that number waits.")};
}

Explanation EventExplainer::operator()(const trace::LinkState& e) const
{
    if (e.whole())
        return {tr("%1's connection to ZooKeeper works again.").arg(m_name), {}};
    return {tr("%1's connection to ZooKeeper: %2.").arg(m_name, linkFaultText(e)),
            tr("Neither side knows why the other is silent.")};
}

Explanation EventExplainer::operator()(const trace::StepHeld& e) const
{
    return m_row ? explainNextStep(m_state, *m_row, e.step) : Explanation{tr("%1 is stopped.").arg(m_name), {}};
}

Explanation EventExplainer::operator()(const trace::StepTaken& e) const
{
    return {m_row ? tr("%1 continues: it %2.").arg(m_name, stepClause(m_state, *m_row, e.step))
                  : tr("%1 continues.").arg(m_name),
            {}};
}

Explanation EventExplainer::operator()(const trace::ResourceValue& e) const
{
    const QString what =
        tr("%1 writes: %2 %3.").arg(m_name, translateCoreText(e.name, 40), format::plain(e.value, 60));
    if (e.fault.empty())
        return {what, {}};
    return {what, tr("That is wrong: %1.").arg(translateMessage(e.fault, 80))};
}

} // namespace lockscope::ui
