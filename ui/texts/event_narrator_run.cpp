#include "ui/texts/event_narrator.h"

#include "core/trace/command_verb.h"
#include "ui/texts/command_text.h"
#include "ui/texts/core_messages.h"
#include "ui/texts/next_step.h"
#include "ui/texts/outcome_text.h"

namespace lockscope::ui {

void EventNarrator::operator()(const trace::RunPhaseChanged& e)
{
    static constexpr Said kRows[]{
        {QT_TRANSLATE_NOOP("Texts", "The run starts.")},
        {QT_TRANSLATE_NOOP("Texts", "The run is in progress.")},
        {QT_TRANSLATE_NOOP("Texts", "The run is paused."),
         QT_TRANSLATE_NOOP("Texts", "No client takes its next step; sessions are kept alive.")},
        {QT_TRANSLATE_NOOP("Texts", "The run is over.")},
        {QT_TRANSLATE_NOOP("Texts", "The run failed.")}};
    ofNobody<trace::RunPhase::failed>(kRows, e.phase);
    if (e.phase == trace::RunPhase::finished || e.phase == trace::RunPhase::failed)
        m_text.sentences.why = translateMessage(e.detail);
}

void EventNarrator::operator()(const trace::ServerState& e)
{
    static constexpr Said kRows[]{
        {QT_TRANSLATE_NOOP("Texts", "ZooKeeper is starting.")},
        {QT_TRANSLATE_NOOP("Texts", "ZooKeeper %1 answers at %2.")},
        {QT_TRANSLATE_NOOP("Texts", "ZooKeeper at %1 does not answer."),
         QT_TRANSLATE_NOOP("Texts", "Sessions are suspended: no client can know whether it still holds.")},
        {QT_TRANSLATE_NOOP("Texts", "ZooKeeper was stopped.")}};
    const QString address = format::plain(e.address, 60);
    ofNobody<trace::ServerPhase::stopped>(kRows, e.phase,
                                          e.phase == trace::ServerPhase::ready
                                              ? QStringList{format::plain(e.version, 30), address}
                                              : QStringList{address});
}

void EventNarrator::operator()(const trace::LockAdded& e)
{
    const QString path = format::plain(e.path, 60);
    return explain(
        withWhom(m_role == LockRole::herd
                     ? tr("This lock has one node, which is created and deleted below %1.").arg(path)
                 : m_role == LockRole::leases
                     ? tr("The children of %1 are the leases that are out.").arg(path)
                     : tr("The children of %1 are the queue of this lock.").arg(path)),
        m_role == LockRole::queue ? tr("The child with the lowest number holds it; the others wait in order.")
                                  : QString());
}

void EventNarrator::operator()(const trace::ClientAdded& e)
{
    return explain(tr("%1 joins the run.").arg(m_name.isEmpty() ? format::plain(e.name, 24) : m_name),
                   e.process.empty() ? tr("It first opens a ZooKeeper session of its own.")
                                     : tr("It shares the session of its process."));
}

void EventNarrator::operator()(const trace::ClientRemoved&)
{
    return explain(tr("%1 left the run.").arg(m_name),
                   tr("Its session is closed, so it leaves no node behind."));
}

void EventNarrator::command(trace::Text verb, const QString& more, LogArrow arrow, Tone tone)
{
    const QString words = commandText(verb, m_name);
    const bool logged =
        more.startsWith(u"zxid=") || more.startsWith(u"after=") || more.startsWith(u"back_ms=");
    say(arrow, tone, more.isEmpty() || more == m_name ? words : words + QStringLiteral(": ") + more);
    byServer();
    if (!logged)
        //: the user of this program, as the author of a line of the log
        m_text.line.who = tr("you");
}

void EventNarrator::operator()(const trace::Command& e)
{
    command(e.verb, format::plain(e.argument), LogArrow::none, Tone::plain);
    if (!m_explains)
        return;
    const QString whom = m_name.isEmpty() ? tr("a client") : m_name;
    switch (trace::commandVerb(e.verb)) {
    case trace::CommandVerb::killSession:
        return explain(tr("What if %1's session is killed?").arg(whom),
                       tr("The server deletes its nodes at once; %1 learns of it only later.").arg(whom));
    case trace::CommandVerb::killHolder:
        return explain(tr("What if the holder's session is killed? It is %1.").arg(whom),
                       tr("The server deletes its node at once, and the next in the queue is woken."));
    case trace::CommandVerb::freeze:
        return explain(tr("What if %1 freezes? It takes no step and sends no heartbeat.").arg(whom),
                       tr("If that lasts longer than its timeout, the server ends its session."));
    case trace::CommandVerb::thaw:
        return explain(tr("%1 continues from where it was frozen.").arg(whom),
                       tr("It may still rely on something that has changed meanwhile."));
    default:
        break;
    }
    const QString argument = format::plain(e.argument, 60);
    const QString words = commandText(e.verb, m_name);
    return explain(argument.isEmpty() || argument == m_name ? tr("Command: %1.").arg(words)
                                                            : tr("Command: %1, %2.").arg(words, argument));
}

void EventNarrator::operator()(const trace::CommandRefused& e)
{
    command(e.verb, translateMessage(e.reason, 120), LogArrow::fault, Tone::stale);
    if (!m_explains)
        return;
    return explain(tr("The command was refused: %1.").arg(commandText(e.verb, m_name)),
                   translateMessage(e.reason));
}

void EventNarrator::operator()(const trace::PaceChanged& e)
{
    if (e.step <= Duration::zero())
        return explain(withWhom(tr("Every step is taken at once: full speed.")));
    return explain(withWhom(tr("Every protocol step now waits %1 first.").arg(format::duration(e.step))),
                   tr("The steps and their order stay as they are; only the time between them grows."));
}

void EventNarrator::operator()(const trace::Notice& e)
{
    const bool info = e.severity == trace::Severity::info;
    say(info ? LogArrow::none : LogArrow::fault, info ? Tone::muted : Tone::stale,
        translateMessage(e.text, 120));
    if (!m_explains)
        return;
    const QString text = translateMessage(e.text, 200);
    return explain(withWhom(text.isEmpty() ? tr("A notice without text.") : text));
}

void EventNarrator::operator()(const trace::SessionState& e)
{
    const bool bad = e.phase == trace::SessionPhase::lost || e.phase == trace::SessionPhase::suspended;
    const QString phase = outcomeText(e.phase);
    say(bad ? LogArrow::fault : LogArrow::none, bad ? Tone::stale : Tone::muted,
        tr("session %1 %2").arg(format::sessionShort(e.session), phase),
        {tr("session %1").arg(phase), phase});
    if (!m_explains)
        return;
    static constexpr Said kRows[]{
        {QT_TRANSLATE_NOOP("Texts", "%1 connects to ZooKeeper.")},
        {QT_TRANSLATE_NOOP("Texts", "%1 is connected: session %2, timeout %3."),
         QT_TRANSLATE_NOOP("Texts", "Its nodes live as long as this session does.")},
        {QT_TRANSLATE_NOOP("Texts", "%1 lost contact with ZooKeeper."),
         QT_TRANSLATE_NOOP("Texts",
                           "Its session may still live until the timeout, so %1 cannot know whether its "
                           "node is still there.")},
        {QT_TRANSLATE_NOOP("Texts", "%1 knows now that its session is lost."),
         QT_TRANSLATE_NOOP("Texts",
                           "It has lost all locks that it held or waited for; it needs a new session.")},
        {QT_TRANSLATE_NOOP("Texts", "%1 closed its session."),
         QT_TRANSLATE_NOOP("Texts", "The server deletes its nodes at once.")}};
    ofClient<trace::SessionPhase::closed>(kRows, e.phase,
                                          {format::sessionShort(e.session), format::duration(e.timeout)});
}

void EventNarrator::operator()(const trace::SessionGone& e)
{
    say(LogArrow::fault, Tone::stale,
        tr("session %1 ended, its nodes were deleted").arg(format::sessionShort(e.session)),
        {tr("session ended"), /*: of a session */ tr("ended")});
    byServer();
    if (!m_explains)
        return;
    const QString session = format::sessionShort(e.session);
    if (m_row && m_row->isStale)
        return explain(
            tr("The server ended %1's session %2 and deleted its node.").arg(m_name, session),
            tr("%1 does not know this yet: it still believes that it holds the lock.").arg(m_name));
    return explain(m_name.isEmpty() ? tr("The server ended session %1.").arg(session)
                                    : tr("The server ended %1's session %2.").arg(m_name, session),
                   tr("Its ephemeral nodes were deleted with it."));
}

void EventNarrator::operator()(const trace::Thinks& e)
{
    if (e.planned <= Duration::zero())
        return explain(tr("%1 does not need the lock for a moment.").arg(m_name));
    return explain(tr("%1 works on something else for %2.").arg(m_name, format::duration(e.planned)),
                   tr("It does not need the lock, so it has no node in the queue."));
}

void EventNarrator::operator()(const trace::ResourceUse& e)
{
    if (e.action == trace::ResourceAction::refused)
        say(LogArrow::fault, Tone::stale, tr("token %1 refused by the resource").arg(format::zxid(e.token)));
    else if (e.action == trace::ResourceAction::conflict)
        say(LogArrow::fault, Tone::stale, tr("two in the protected section at once"));
    if (!m_explains)
        return;
    static constexpr Said kRows[]{
        {QT_TRANSLATE_NOOP("Texts", "%1 uses the protected resource with token %2."),
         QT_TRANSLATE_NOOP("Texts", "The resource remembers the highest token it has seen.")},
        {QT_TRANSLATE_NOOP("Texts", "%1 is done with the protected resource.")},
        {QT_TRANSLATE_NOOP("Texts", "%1 uses the resource while another client uses it too."),
         QT_TRANSLATE_NOOP("Texts", "Two clients believed they held. A lock alone cannot prevent that; a "
                                    "checked token can.")},
        {QT_TRANSLATE_NOOP("Texts", "The resource refused %1: its token %2 is out of date."),
         QT_TRANSLATE_NOOP("Texts", "A later holder has already used a higher token, so no harm was done.")}};
    ofClient<trace::ResourceAction::refused>(kRows, e.action, {format::zxid(e.token)});
}

void EventNarrator::operator()(const trace::ClientFinished&)
{
    return explain(tr("%1 has finished all its cycles.").arg(m_name),
                   tr("It will not ask for the lock again."));
}

void EventNarrator::operator()(const trace::MemberState& e)
{
    const QString member = format::plain(e.member, 20);
    switch (e.phase) {
    case trace::ServerPhase::starting:
        return explain(withWhom(tr("Server %1 is starting.").arg(member)));
    case trace::ServerPhase::ready:
        return explain(
            withWhom(e.mode.empty()
                         ? tr("Server %1 answers.").arg(member)
                         : tr("Server %1 answers; it is the %2.").arg(member, translateCoreText(e.mode, 20))),
            tr("Every write goes through the leader and is committed when a majority of the servers has "
               "stored it."));
    case trace::ServerPhase::down:
        return explain(withWhom(tr("Server %1 does not answer.").arg(member)),
                       tr("The locks keep working while a majority of the servers runs."));
    case trace::ServerPhase::stopped:
        break;
    }
    return explain(withWhom(tr("Server %1 was stopped.").arg(member)));
}

void EventNarrator::operator()(const trace::LockLimit& e)
{
    return explain(withWhom(tr("From now on %Ln may hold at once.", nullptr, static_cast<int>(e.permits))),
                   tr("Each holder has a node of its own; any further client waits."));
}

void EventNarrator::operator()(const trace::LinkState& e)
{
    say(e.whole() ? LogArrow::none : LogArrow::fault, e.whole() ? Tone::muted : Tone::stale,
        e.whole() ? tr("connection works again") : tr("connection: %1").arg(linkFaultText(e)));
    if (!m_explains)
        return;
    if (e.whole())
        return explain(tr("%1's connection to ZooKeeper works again.").arg(m_name));
    return explain(tr("%1's connection to ZooKeeper: %2.").arg(m_name, linkFaultText(e)),
                   tr("Neither side knows why the other is silent."));
}

void EventNarrator::operator()(const trace::StepHeld& e)
{
    say(LogArrow::none, Tone::muted, stoppedAtText(e.step));
    if (!m_explains)
        return;
    if (m_row)
        m_text.sentences = explainNextStep(m_state, *m_row, e.step);
    else
        explain(tr("%1 is stopped.").arg(m_name));
}

void EventNarrator::operator()(const trace::StepTaken& e)
{
    say(LogArrow::none, Tone::muted, tr("step: %1").arg(gateStepText(e.step)));
    if (!m_explains)
        return;
    return explain(m_row ? tr("%1 continues: it %2.").arg(m_name, stepClause(m_state, *m_row, e.step))
                         : tr("%1 continues.").arg(m_name));
}

void EventNarrator::operator()(const trace::ResourceValue& e)
{
    const QString written = translateCoreText(e.name, 40) + u' ' + format::plain(e.value, 60);
    say(LogArrow::none, e.fault.empty() ? Tone::muted : Tone::stale,
        e.fault.empty() ? written : written + QStringLiteral(": ") + translateMessage(e.fault, 120));
    if (!m_explains)
        return;
    const QString what =
        tr("%1 writes: %2 %3.").arg(m_name, translateCoreText(e.name, 40), format::plain(e.value, 60));
    if (e.fault.empty())
        return explain(what);
    return explain(what, tr("That is wrong: %1.").arg(translateMessage(e.fault, 80)));
}

} // namespace lockscope::ui
