#include "ui/texts/event_text.h"

#include "core/trace/command_verb.h"
#include "ui/models/run/lock_role.h"
#include "ui/models/run/logged_event.h"
#include "ui/models/run/trace_name.h"
#include "ui/models/style/format.h"
#include "ui/texts/client_status.h"
#include "ui/texts/command_text.h"
#include "ui/texts/core_messages.h"
#include "ui/texts/next_step.h"
#include "ui/texts/outcome_text.h"
#include "ui/texts/watched_lock_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>
#include <variant>

namespace lockscope::ui {

namespace {

// The requested name of a sequential node ends where the server appends the number: "lock-", "__READ__".
QString createMode(trace::Text name)
{
    const bool sequential = !name.empty() && (name.back() == '-' || name.back() == '_');
    return sequential ? QStringLiteral(" EPHEMERAL_SEQUENTIAL") : QStringLiteral(" EPHEMERAL");
}

// Two sentences of a table: what happened, and why; null: nothing.
struct Said
{
    const char* what;
    const char* why = nullptr;
};

struct EventText
{
    LogLine line;
    QStringList labels;
    Explanation sentences;
};

// There is an overload for each kind of event, so that a new kind does not compile without its texts. It
// gives the line and its shorter forms first, and the sentences only when they are asked for: they cost more,
// and the log builds many lines.
class EventNarrator
{
    Q_DECLARE_TR_FUNCTIONS(Texts)
public:
    EventNarrator(const trace::Event& event, const replay::RunState& state, const trace::TraceStore* store,
                  bool explains)
        : m_event(event)
        , m_state(state)
        , m_store(store)
        , m_explains(explains)
        , m_row(state.client(event.client))
        , m_lock(state.lock(event.lock))
        , m_name(event.client.valid() ? clientName(state, event.client) : QString())
        , m_role(explains ? lockRole(state, event.lock) : LockRole::queue)
    {}
    EventText text() &&
    {
        std::visit(*this, m_event.what);
        return std::move(m_text);
    }

    // ---- the run and its clients ----
    void operator()(const trace::RunPhaseChanged& e)
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

    void operator()(const trace::ServerState& e)
    {
        static constexpr Said kRows[]{
            {QT_TRANSLATE_NOOP("Texts", "ZooKeeper is starting.")},
            {QT_TRANSLATE_NOOP("Texts", "ZooKeeper %1 answers at %2.")},
            {QT_TRANSLATE_NOOP("Texts", "ZooKeeper at %1 does not answer."),
             QT_TRANSLATE_NOOP("Texts",
                               "Sessions are suspended: no client can know whether it still holds.")},
            {QT_TRANSLATE_NOOP("Texts", "ZooKeeper was stopped.")}};
        const QString address = format::plain(e.address, 60);
        ofNobody<trace::ServerPhase::stopped>(kRows, e.phase,
                                              e.phase == trace::ServerPhase::ready
                                                  ? QStringList{format::plain(e.version, 30), address}
                                                  : QStringList{address});
    }

    void operator()(const trace::LockAdded& e)
    {
        const QString path = format::plain(e.path, 60);
        return explain(
            withWhom(m_role == LockRole::herd
                         ? tr("This lock has one node, which is created and deleted below %1.").arg(path)
                     : m_role == LockRole::leases
                         ? tr("The children of %1 are the leases that are out.").arg(path)
                         : tr("The children of %1 are the queue of this lock.").arg(path)),
            m_role == LockRole::queue
                ? tr("The child with the lowest number holds it; the others wait in order.")
                : QString());
    }

    void operator()(const trace::ClientAdded& e)
    {
        return explain(tr("%1 joins the run.").arg(m_name.isEmpty() ? format::plain(e.name, 24) : m_name),
                       e.process.empty() ? tr("It first opens a ZooKeeper session of its own.")
                                         : tr("It shares the session of its process."));
    }

    void operator()(const trace::ClientRemoved&)
    {
        return explain(tr("%1 left the run.").arg(m_name),
                       tr("Its session is closed, so it leaves no node behind."));
    }

    void operator()(const trace::Command& e)
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
        return explain(argument.isEmpty() || argument == m_name
                           ? tr("Command: %1.").arg(words)
                           : tr("Command: %1, %2.").arg(words, argument));
    }

    void operator()(const trace::CommandRefused& e)
    {
        command(e.verb, translateMessage(e.reason, 120), LogArrow::fault, Tone::stale);
        if (!m_explains)
            return;
        return explain(tr("The command was refused: %1.").arg(commandText(e.verb, m_name)),
                       translateMessage(e.reason));
    }

    void operator()(const trace::PaceChanged& e)
    {
        if (e.step <= Duration::zero())
            return explain(withWhom(tr("Every step is taken at once: full speed.")));
        return explain(withWhom(tr("Every protocol step now waits %1 first.").arg(format::duration(e.step))),
                       tr("The steps and their order stay as they are; only the time between them grows."));
    }

    void operator()(const trace::Notice& e)
    {
        const bool info = e.severity == trace::Severity::info;
        say(info ? LogArrow::none : LogArrow::fault, info ? Tone::muted : Tone::stale,
            translateMessage(e.text, 120));
        if (!m_explains)
            return;
        const QString text = translateMessage(e.text, 200);
        return explain(withWhom(text.isEmpty() ? tr("A notice without text.") : text));
    }

    void operator()(const trace::SessionState& e)
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

    void operator()(const trace::SessionGone& e)
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

    void operator()(const trace::Thinks& e)
    {
        if (e.planned <= Duration::zero())
            return explain(tr("%1 does not need the lock for a moment.").arg(m_name));
        return explain(tr("%1 works on something else for %2.").arg(m_name, format::duration(e.planned)),
                       tr("It does not need the lock, so it has no node in the queue."));
    }

    void operator()(const trace::ResourceUse& e)
    {
        if (e.action == trace::ResourceAction::refused)
            say(LogArrow::fault, Tone::stale,
                tr("token %1 refused by the resource").arg(format::zxid(e.token)));
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
             QT_TRANSLATE_NOOP("Texts",
                               "A later holder has already used a higher token, so no harm was done.")}};
        ofClient<trace::ResourceAction::refused>(kRows, e.action, {format::zxid(e.token)});
    }

    void operator()(const trace::ClientFinished&)
    {
        return explain(tr("%1 has finished all its cycles.").arg(m_name),
                       tr("It will not ask for the lock again."));
    }

    void operator()(const trace::MemberState& e)
    {
        const QString member = format::plain(e.member, 20);
        switch (e.phase) {
        case trace::ServerPhase::starting:
            return explain(withWhom(tr("Server %1 is starting.").arg(member)));
        case trace::ServerPhase::ready:
            return explain(
                withWhom(
                    e.mode.empty()
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

    void operator()(const trace::LockLimit& e)
    {
        return explain(
            withWhom(tr("From now on %Ln may hold at once.", nullptr, static_cast<int>(e.permits))),
            tr("Each holder has a node of its own; any further client waits."));
    }

    void operator()(const trace::LinkState& e)
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

    void operator()(const trace::StepHeld& e)
    {
        say(LogArrow::none, Tone::muted, stoppedAtText(e.step));
        if (!m_explains)
            return;
        if (m_row)
            m_text.sentences = explainNextStep(m_state, *m_row, e.step);
        else
            explain(tr("%1 is stopped.").arg(m_name));
    }

    void operator()(const trace::StepTaken& e)
    {
        say(LogArrow::none, Tone::muted, tr("step: %1").arg(gateStepText(e.step)));
        if (!m_explains)
            return;
        return explain(m_row ? tr("%1 continues: it %2.").arg(m_name, stepClause(m_state, *m_row, e.step))
                             : tr("%1 continues.").arg(m_name));
    }

    void operator()(const trace::ResourceValue& e)
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

    // ---- the recipe ----
    void operator()(const trace::AcquireCalled& e)
    {
        say(LogArrow::none, Tone::muted,
            //: in the log, a verb: a client asks for the lock
            e.timeout == kForever ? tr("acquire")
                                  : tr("acquire, at most %1").arg(format::duration(e.timeout)));
        if (!m_explains)
            return;
        if (m_row && m_row->depth > 0)
            return explain(tr("%1 asks for the lock that it holds already.").arg(m_name),
                           tr("It may enter again: only its own count will go up."));
        const QString what = tr("%1 asks for the lock.").arg(m_name);
        const QString next = firstStepText(m_state, m_event.lock);
        if (e.timeout == kForever)
            return explain(what, next);
        return explain(what, tr("%1 It gives up after %2.").arg(next, format::duration(e.timeout)));
    }

    void operator()(const trace::Decided& e)
    {
        const QString children = format::count(e.count);
        const QString place = format::count(quint64{e.position} + 1), behind = format::sequenceShort(e.ahead);
        if (e.position == 0)
            say(LogArrow::fromServer, Tone::plain, tr("first of %1").arg(children));
        else if (e.ahead.empty()) // a lease has no predecessor
            say(LogArrow::fromServer, Tone::plain, tr("%1 of %2").arg(place, children));
        else
            say(LogArrow::fromServer, Tone::plain, tr("%1 of %2, behind %3").arg(place, children, behind),
                {tr("%1 of %2, behind %3").arg(place, children, behind), tr("behind %1").arg(behind)});
        if (!m_explains)
            return;
        if (m_lock && m_lock->watched)
            return explain(tr("Node %1 of %2 is first in the server's queue: it is entitled to the lock.")
                               .arg(format::sequenceNumber(e.node), m_name),
                           watchedUnknownText());
        if (e.position == 0)
            return decidedAlone(e);
        const QString own = format::sequenceNumber(e.node), ahead = format::sequenceNumber(e.ahead);
        const QString count = format::count(e.position);
        if (m_role == LockRole::leases)
            return explain(tr("Too few leases are left, so %1 has to wait.").arg(m_name),
                           tr("It watches the list of leases, not one of them: any may come back."));
        const QString watch =
            m_role == LockRole::herdReadWrite
                ? tr("It watches the whole list: every change wakes it and all other waiters.")
            : e.position == 1 && !reads()
                ? tr("It will watch %1, which is directly in front of its own %2.").arg(ahead, own)
            : reads() ? tr("It will watch %1, a writer: other readers do not matter to it.").arg(ahead)
                      : tr("It will watch only %1, directly in front of it: when that node is deleted, no "
                           "other client has to wake up.")
                            .arg(ahead);
        if (e.position == 1)
            return explain(tr("%1 is still in front, so %2 has to wait.").arg(ahead, m_name), watch);
        return explain(
            reads() ? tr("%1 writers are in front of %2's %3, so it has to wait.").arg(count, m_name, own)
                    : tr("%1 nodes are in front of %2's %3, so it has to wait.").arg(count, m_name, own),
            watch);
    }

    void operator()(const trace::Acquired& e)
    {
        const QString phrase = tr("acquired, token %1").arg(format::zxid(e.token));
        //: short for "acquired, token 0x1f3": a client has got the lock
        say(LogArrow::gained, Tone::holds, phrase, {phrase, tr("acquired")});
        if (!m_explains)
            return;
        const QString node = format::sequenceNumber(e.node), token = format::zxid(e.token);
        if (m_role == LockRole::leases)
            return explain(tr("%1 has a lease: its node %2.").arg(m_name, node));
        if (m_role == LockRole::entrance)
            return explain(tr("%1 is first at the entrance with node %2.").arg(m_name, node),
                           tr("It can look for a lease now; no other client does meanwhile."));
        if (reads())
            return explain(
                tr("%1 holds the lock to read: no writer is in front of its node %2.").arg(m_name, node),
                e.token.valid() ? tr("Its fencing token is %1; every later writer's is higher.").arg(token)
                                : QString());
        return explain(
            m_role == LockRole::herd ? tr("%1 holds the lock: it created the one node.").arg(m_name)
                                     : tr("%1 holds the lock: its node %2 is first.").arg(m_name, node),
            e.token.valid() ? tr("Its fencing token is %1; every later holder's is higher.").arg(token)
                            : QString());
    }

    void operator()(const trace::Reentered& e)
    {
        say(LogArrow::gained, Tone::holds, tr("entered again, ×%1").arg(e.depth));
        if (!m_explains)
            return;
        return explain(tr("%1 took the lock again: depth %2.").arg(m_name, QString::number(e.depth)),
                       tr("Only the client counts this; ZooKeeper is not notified. The client must release "
                          "as often."));
    }

    void operator()(const trace::AcquireFailed& e)
    {
        const QString reason = outcomeText(e.reason), phrase = tr("not acquired: %1").arg(reason);
        say(LogArrow::fault, Tone::stale,
            e.detail.empty() ? phrase : phrase + QStringLiteral(", ") + translateMessage(e.detail, 120),
            {phrase, reason});
        if (!m_explains)
            return;
        static constexpr Said kRows[]{
            {QT_TRANSLATE_NOOP("Texts", "%1 reached its time limit and gave up."),
             QT_TRANSLATE_NOOP("Texts",
                               "It deletes its node; the client that watched that node lists again.")},
            {QT_TRANSLATE_NOOP("Texts", "%1 was asked to stop waiting."),
             QT_TRANSLATE_NOOP("Texts", "It deletes its node, so that no client waits for it.")},
            {QT_TRANSLATE_NOOP("Texts", "%1 cannot get the lock: its session is lost."),
             QT_TRANSLATE_NOOP("Texts", "Its node and its place in the queue were lost with the session.")},
            {QT_TRANSLATE_NOOP("Texts", "%1 gave up after its retries.")},
            {QT_TRANSLATE_NOOP("Texts", "%1 failed to get the lock.")}};
        ofClient<trace::FailReason::error>(kRows, e.reason);
        if (!kRows[static_cast<std::size_t>(e.reason)].why)
            m_text.sentences.why = translateMessage(e.detail);
    }

    void operator()(const trace::StartedOver& e)
    {
        say(LogArrow::fault, Tone::stale, tr("starts over: %1").arg(translateMessage(e.why, 120)),
            {tr("starts over: %1").arg(translateMessage(e.why, 60)), tr("starts over")});
        if (!m_explains)
            return;
        const QString why = translateMessage(e.why);
        return explain(e.node.empty() ? tr("%1 starts over with a new node.").arg(m_name)
                                      : tr("%1 starts over: its node %2 is not in the list.")
                                            .arg(m_name, format::sequenceNumber(e.node)),
                       why.isEmpty() ? tr("A new node goes to the end of the queue.") : why);
    }

    void operator()(const trace::ReleaseCalled& e)
    {
        say(LogArrow::none, Tone::muted,
            e.depth > 1 ? tr("release, from ×%1").arg(e.depth)
                        : /*: in the log, a verb: a client begins to release the lock */ tr("release"));
        if (!m_explains)
            return;
        if (e.depth > 1)
            return explain(
                tr("%1 gives back one of %2 levels and still holds.").arg(m_name, QString::number(e.depth)),
                tr("Only the last release deletes the node."));
        const auto follows = [this] {
            switch (m_role) {
            case LockRole::herd:
                return tr("That wakes all clients that watch the node; one of them will acquire the lock.");
            case LockRole::herdReadWrite:
                return tr("That changes the list and wakes all clients that watch it.");
            case LockRole::leases:
                return tr("That changes the list of leases, which the first client at the entrance watches.");
            case LockRole::readWrite:
                return tr(
                    "That fires the watches of the clients that wait for this node: several readers, or a "
                    "writer.");
            case LockRole::entrance:
                return tr("The next client at the entrance is woken and looks for a lease.");
            default:
                return tr("That fires the watch of the one client directly behind it.");
            }
        };
        const QString node = format::sequenceNumber(e.node);
        return explain(m_role == LockRole::leases
                           ? tr("%1 gives its lease back: it deletes its node %2.").arg(m_name, node)
                       : m_role == LockRole::entrance
                           ? tr("%1 leaves the entrance: it deletes its node %2.").arg(m_name, node)
                           : tr("%1 releases the lock: it deletes its node %2.").arg(m_name, node),
                       follows());
    }

    void operator()(const trace::Released& e)
    {
        say(LogArrow::released, Tone::muted,
            e.depth > 0 ? tr("released to ×%1").arg(e.depth)
                        : /*: in the log: a client has released the lock */ tr("released"));
        if (!m_explains)
            return;
        if (e.depth > 0)
            return explain(tr("%1 still holds the lock, at depth %2.").arg(m_name, QString::number(e.depth)));
        return explain(tr("%1 has released: the server confirmed that %2 is deleted.")
                           .arg(m_name, format::sequenceNumber(e.node)),
                       tr("The release took effect with the delete, not with this reply."));
    }

    void operator()(const trace::HoldLost& e)
    {
        const QString phrase = tr("lost the lock: %1").arg(outcomeText(e.reason));
        say(LogArrow::fault, Tone::stale, phrase, {phrase, tr("lost the lock")});
        if (!m_explains)
            return;
        const QString late =
            m_row && m_row->staleFor > Duration::zero()
                ? tr("It still believed that it held for %1 after the server had deleted its node.")
                      .arg(format::duration(m_row->staleFor))
                : tr("Until now it believed that it held; a checked token keeps such a client out.");
        static constexpr Said kRows[]{
            {QT_TRANSLATE_NOOP("Texts", "%1 learned that it does not hold any more: its session expired.")},
            {QT_TRANSLATE_NOOP("Texts",
                               "%1 learned that it does not hold any more: its session was killed.")},
            {QT_TRANSLATE_NOOP("Texts",
                               "%1 gave up its hold: it heard nothing from ZooKeeper for a whole timeout."),
             QT_TRANSLATE_NOOP("Texts", "It cannot know whether its node is still there, so it must not "
                                        "continue.")},
            {QT_TRANSLATE_NOOP("Texts", "%1 no longer holds the lock: its node %2 was deleted.")},
            {QT_TRANSLATE_NOOP("Texts", "%1 does not hold any more: its session was closed.")}};
        ofClient<trace::LostReason::closed>(kRows, e.reason, {format::sequenceNumber(e.node)});
        if (!kRows[static_cast<std::size_t>(e.reason)].why && e.reason != trace::LostReason::closed)
            m_text.sentences.why = late;
    }

    // ---- the protocol, and what the server reports ----
    void operator()(const trace::Request& e)
    {
        const QString child = format::sequenceShort(e.node);
        const bool ofLock =
            e.op == Operation::create || e.op == Operation::getChildren || e.op == Operation::sync;
        const QString op = traceName(e.op);
        const QString watch = e.watch ? QStringLiteral(" + watch") : QString();
        const QString target = e.op == Operation::create
                                   ? path() + u'/' + format::nodeShort(e.node) + createMode(e.node)
                               : ofLock ? path()
                                        : child;
        const bool own = m_store && watchesOwnNode(m_event, *m_store);
        QString line = op + u' ' + target;
        if (e.watch)
            line += QStringLiteral(" +watch");
        if (own)
            line += QStringLiteral("   ") + tr("(its own node)");
        if (e.together)
            line += QStringLiteral("   ") + tr("(sent together)");
        const QString shortOp = ofLock || e.node.empty() ? op : op + u' ' + child;
        QStringList labels{shortOp + watch, e.watch ? shortOp + QStringLiteral(" +w") : shortOp, op};
        if (own)
            labels =
                QStringList{tr("%1 (its own node)").arg(labels[0]), tr("%1 + watch: own").arg(op)} + labels;
        say(LogArrow::toServer, Tone::plain, line, labels);
        if (!m_explains)
            return;
        const QString node = format::sequenceNumber(e.node);
        const QString& who = m_name;
        switch (e.op) {
        case Operation::create:
            if (m_role == LockRole::herd)
                return explain(
                    tr("%1 tries to create the one node: ephemeral, without a number.").arg(who),
                    tr("Only one create can succeed, and the client that sent it holds the lock."));
            return explain(tr("%1 asks for a node of its own: create, ephemeral and sequential.").arg(who),
                           tr("The server picks the number, so the order is the server's."));
        case Operation::remove:
            return explain(
                tr("%1 sends the delete of its node %2.").arg(who, node),
                tr("The release takes effect when the server deletes the node, before %1 gets the reply.")
                    .arg(who));
        case Operation::getChildren:
            return explain(
                tr("%1 asks for the list of all nodes.").arg(who),
                e.watch      ? tr("With a watch on the whole list: it is notified of the next change.")
                : e.together ? tr("Sent together with the create: the server answers in order, so one round "
                                  "trip is saved.")
                             : tr("Without a watch: it wants to know its place, not every change."));
        case Operation::getData:
            if (!e.watch)
                return explain(tr("%1 reads node %2.").arg(who, node));
            if (ownNode(e.node))
                return explain(tr("%1 sets a watch on its own node %2.").arg(who, node),
                               tr("It will be notified if the node is deleted while it holds."));
            return explain(
                reads() ? tr("%1 sets a watch on %2, a writer in front.").arg(who, node)
                        : tr("%1 sets a watch on %2, the node in front.").arg(who, node),
                tr("getData, not exists: if the node is gone already, no stray watch is left behind."));
        case Operation::setData:
            return explain(
                announced() ? tr("%1 writes into its node that it holds.").arg(who)
                            : tr("%1 writes to node %2.").arg(who, node),
                announced()
                    ? tr("Its successor reads this during the hold, and need not list again after it.")
                    : QString());
        case Operation::exists:
            return explain(tr("%1 asks whether node %2 exists.").arg(who, node),
                           e.watch ? tr("With a watch, which stays even if the node does not exist.")
                                   : QString());
        case Operation::sync:
            break;
        }
        return explain(tr("%1 asks its server to catch up.").arg(who),
                       tr("What it reads next is not older than this moment."));
    }

    void operator()(const trace::Reply& e)
    {
        const bool ok = e.outcome == trace::Outcome::ok;
        const QString result = outcomeText(e.outcome), created = format::sequenceShort(e.node);
        QString line = traceName(e.op);
        if (!e.node.empty()) // a failed create has no node name
            line += u' ' + created;
        const bool newNode = ok && e.op == Operation::create;
        say(LogArrow::fromServer, ok ? Tone::plain : Tone::stale,
            newNode ? tr("created %1").arg(created) : line + QStringLiteral(": ") + result,
            {newNode                                ? created
             : ok && e.op == Operation::getChildren ? tr("%Ln children", nullptr, static_cast<int>(e.count))
                                                    : result});
        if (!m_explains)
            return;
        const QString op = traceName(e.op), node = format::sequenceNumber(e.node);
        switch (e.outcome) {
        case trace::Outcome::ok:
            return answered(e);
        case trace::Outcome::noNode:
            if (e.op == Operation::exists && m_role == LockRole::herd)
                return explain(tr("The one node was deleted before %1 could see it.").arg(m_name),
                               tr("%1 does not sleep: it tries again to create it.").arg(m_name));
            if (e.op == Operation::exists)
                return explain(
                    tr("Node %1 was just deleted; %2's watch on it stays behind.").arg(node, m_name),
                    tr("%1 does not sleep: it lists the nodes again.").arg(m_name));
            if (e.op == Operation::getData)
                return explain(tr("Node %1 was deleted before %2 could watch it.").arg(node, m_name),
                               tr("%1 does not sleep: it lists the nodes again.").arg(m_name));
            if (e.op == Operation::remove)
                return explain(tr("%1's node %2 was already deleted.").arg(m_name, node),
                               tr("There is nothing left to delete."));
            if (e.op == Operation::create)
                return explain(
                    tr("%1 could not create its node: the lock's path does not exist yet.").arg(m_name),
                    tr("It creates the path as a container and tries again."));
            return explain(tr("The server replied to %1 that there is no such node.").arg(m_name));
        case trace::Outcome::nodeExists:
            if (m_role == LockRole::herd)
                return explain(tr("%1 could not create the node: another client has created it.").arg(m_name),
                               tr("It will watch that node, as all waiting clients do."));
            return explain(tr("The server replied to %1 that the node exists already.").arg(m_name));
        case trace::Outcome::refused:
            return explain(tr("The server refused %1's %2.").arg(m_name, op),
                           tr("The request had no effect."));
        case trace::Outcome::unknown:
            return explain(
                tr("The reply to %1's %2 was lost: the request may or may not have taken effect.")
                    .arg(m_name, op),
                e.op == Operation::create
                    ? tr("%1 looks for a node with its own _c_ id before it creates another.").arg(m_name)
                    : tr("%1 has to find out before it continues.").arg(m_name));
        case trace::Outcome::sessionGone:
            break;
        }
        return explain(tr("%1's %2 failed: the session has ended.").arg(m_name, op),
                       tr("Its nodes were deleted with the session."));
    }

    void operator()(const trace::WatchFired& e)
    {
        const QString kind = traceName(e.kind);
        const QString of = kind + u' ' + (e.node.empty() ? path() : format::sequenceShort(e.node));
        say(LogArrow::watch, Tone::wake, of + QStringLiteral(" → ") + clientName(m_state, m_event.client),
            {e.node.empty() ? kind : of, kind});
        byServer();
        if (!m_explains)
            return;
        const QString node = format::sequenceNumber(e.node);
        switch (e.kind) {
        case trace::WatchKind::deleted:
            if (ownNode(e.node))
                return explain(tr("%1's own node %2 was deleted.").arg(m_name, node),
                               tr("Its place in the queue was lost with it."));
            return wokenByGone(e);
        case trace::WatchKind::changed:
            return explain(tr("%1 was notified that node %2 changed.").arg(m_name, node),
                           announced()
                               ? tr("%1 announces that it holds; %2 reads that and sets its watch again.")
                                     .arg(node, m_name)
                               : tr("A watch fires once; %1 has to set it again.").arg(m_name));
        case trace::WatchKind::created:
            return explain(tr("%1 was notified that node %2 exists now.").arg(m_name, node));
        case trace::WatchKind::childrenChanged:
            break;
        }
        return explain(tr("%1 was notified that the list of nodes changed.").arg(m_name),
                       m_role == LockRole::leases ? tr("It reads the list of leases again.")
                                                  : tr("This wakes all clients that watch the list."));
    }

    void operator()(const trace::NodeSeen& e)
    {
        if (m_event.client.valid()) { // of a transaction log
            say(LogArrow::fromServer, Tone::plain, tr("queued with %1").arg(format::sequenceShort(e.node)));
        } else {
            say(LogArrow::none, Tone::muted, tr("foreign node %1").arg(format::plain(e.node, 60)));
            byServer();
        }
        if (!m_explains)
            return;
        const QString session = format::sessionShort(e.session);
        if (m_lock && m_lock->watched) {
            const replay::NodeRow* there = m_state.node(m_lock->id, e.node);
            const QString node = format::plain(e.node, 60);
            const QString doubt = there ? watchedDoubtText(*there) : QString();
            return explain(there ? tr("The server has node %1: %2, %3.")
                                       .arg(node, watchedKindText(*there), watchedOwnerText(*there))
                                 : tr("The server has node %1.").arg(node),
                           doubt.isEmpty() ? tr("Read by the observer, which takes no part in the lock.")
                                           : doubt);
        }
        if (e.foreign)
            return explain(
                withWhom(
                    tr("The server has a node that is not of this run: %1.").arg(format::plain(e.node, 60))),
                tr("Curator counts every child, so it counts in the queue."));
        const QString node = format::sequenceNumber(e.node);
        return explain(m_name.isEmpty()
                           ? tr("The server has node %1, of session %2.").arg(node, session)
                           : tr("The server has node %1 of %2, session %3.").arg(node, m_name, session),
                       tr("Read by the observer, which takes no part in the lock."));
    }

    void operator()(const trace::NodeVanished& e)
    {
        return explain(
            withWhom(tr("The server does not have node %1 any more.").arg(format::sequenceNumber(e.node))),
            tr("Read by the observer, which takes no part in the lock."));
    }

    void operator()(const trace::Observed& e)
    {
        return explain(
            withWhom(tr("The observer read the whole list: %Ln nodes.", nullptr, static_cast<int>(e.count))),
            tr("This agrees with the events before it."));
    }

    void operator()(const trace::PathState& e)
    {
        say(LogArrow::none, Tone::muted,
            e.kind == trace::PathKind::missing ? tr("%1 does not exist").arg(path())
            : e.kind == trace::PathKind::folder
                ? tr("%1 is a folder of %2 locks").arg(path(), format::count(e.locks))
                : tr("%1 exists").arg(path()));
        byServer();
        if (!m_explains)
            return;
        switch (e.kind) {
        case trace::PathKind::missing:
            return explain(tr("%1 does not exist.").arg(path()), tr("The server sends a notification when it "
                                                                    "is created."));
        case trace::PathKind::folder:
            return explain(tr("%1 is a folder: %2 of its %3 children are locks.")
                               .arg(path(), format::count(e.locks), format::count(e.children)),
                           tr("Its children are not a queue."));
        case trace::PathKind::queue:
            break;
        }
        return explain(tr("%1 exists.").arg(path()),
                       tr("Its children are read, and read again after every change."));
    }

    void operator()(const trace::WatchSeen& e)
    {
        return explain(withWhom(tr("The server's table has a watch on node %1, of session %2.")
                                    .arg(format::sequenceNumber(e.node), format::sessionShort(e.session))),
                       tr("The servers are asked for all watches by path (wchp)."));
    }

    void operator()(const trace::WatchVanished& e)
    {
        return explain(
            withWhom(tr("The server's table does not have the watch on node %1 of session %2 any more.")
                         .arg(format::sequenceNumber(e.node), format::sessionShort(e.session))),
            tr("A watch is removed when it fires or when its connection ends."));
    }

    void operator()(const trace::WatchesRead& e)
    {
        if (!e.refusal.empty())
            return explain(withWhom(tr("The server does not show its watches.")),
                           translateMessage(e.refusal, 300));
        return explain(withWhom(tr("The server's watch table was read: %Ln watches.", nullptr,
                                   static_cast<int>(e.count))),
                       tr("This agrees with the events before it."));
    }

private:
    // `labels`: from the longest to the shortest; none: the line is short enough.
    void say(LogArrow arrow, Tone tone, const QString& line, const QStringList& labels = {})
    {
        //: short for ZooKeeper, as the author of a line of the log
        m_text.line = {m_event.client.valid() ? m_name : tr("zk"), {}, arrow, line, tone};
        if (m_row)
            m_text.line.colour = m_row->colour;
        m_text.labels = labels.isEmpty() ? QStringList{line} : labels;
    }
    // Names ZooKeeper as the cause, not the client.
    void byServer()
    {
        m_text.line.who = tr("zk");
        m_text.line.colour.reset();
    }
    void command(trace::Text verb, const QString& more, LogArrow arrow, Tone tone)
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
    void explain(const QString& what, const QString& why = {}) { m_text.sentences = {what, why}; }
    // The same from a table in the order of the enum, in which %1 is the client and `more` follows.
    template <auto kLast, std::size_t N>
    void ofClient(const Said (&rows)[N], decltype(kLast) value, const QStringList& more = {})
    {
        static_assert(N == static_cast<std::size_t>(kLast) + 1);
        const Said& row = rows[std::min(static_cast<std::size_t>(value), N - 1)];
        const QStringList words = QStringList{m_name} + more;
        explain(filled(row.what, words), filled(row.why, words));
    }
    // Of events that no client caused.
    template <auto kLast, std::size_t N>
    void ofNobody(const Said (&rows)[N], decltype(kLast) value, const QStringList& words = {})
    {
        static_assert(N == static_cast<std::size_t>(kLast) + 1);
        const Said& row = rows[std::min(static_cast<std::size_t>(value), N - 1)];
        explain(withWhom(filled(row.what, words)), filled(row.why, words));
    }
    // As many of the words as the text has places for.
    static QString filled(const char* source, const QStringList& words)
    {
        const QString text = source ? tr(source) : QString();
        return text.contains(u"%3")   ? text.arg(words[0], words[1], words[2])
               : text.contains(u"%2") ? text.arg(words[0], words[1])
               : text.contains(u"%1") ? text.arg(words[0])
                                      : text;
    }

    // The lock's handoff uses announcements.
    bool announced() const { return m_lock && m_lock->announcesHandoff(); }
    bool ownNode(replay::Text node) const { return m_row && !node.empty() && m_row->node == node; }
    bool reads() const // the client's node is a reader's
    {
        const replay::NodeRow* own =
            m_row && !m_row->node.empty() ? m_state.node(m_event.lock, m_row->node) : nullptr;
        return own && own->reads;
    }
    QString path() const { return m_lock ? format::plain(m_lock->path, 60) : QString(); }
    // "ada: text" for events that the client did not cause
    QString withWhom(const QString& text) const
    {
        return m_name.isEmpty() ? text : tr("%1: %2").arg(m_name, text);
    }

    // A decision by which no node blocks the client.
    void decidedAlone(const trace::Decided& e)
    {
        const QString own = format::sequenceNumber(e.node), count = format::count(e.count);
        switch (m_role) {
        case LockRole::leases:
            return explain(
                tr("%1 are out, and %2 is one of them: %3 may take its lease.").arg(count, own, m_name),
                tr("Only a limited number of leases may be out at once."));
        case LockRole::entrance:
            return explain(
                tr("%1 is the first at the entrance, so %2 may look for a lease.").arg(own, m_name),
                tr("Only one looks at a time, so the leases go out in order."));
        case LockRole::readWrite:
        case LockRole::herdReadWrite:
            if (reads())
                return explain(tr("No writer is in front of %1, so %2 may read.").arg(own, m_name),
                               tr("Readers hold together; a writer that comes later waits for them."));
            break;
        default:
            break;
        }
        return explain(
            e.count > 1 ? tr("%1 is the first of %2 nodes, so %3 may take the lock.").arg(own, count, m_name)
                        : tr("%1 is the only node, so %2 may take the lock.").arg(own, m_name),
            tr("No node can get in front of it: later nodes get higher numbers."));
    }

    // A successful reply.
    void answered(const trace::Reply& e)
    {
        const QString node = format::sequenceNumber(e.node);
        switch (e.op) {
        case Operation::create:
            return explain(tr("%1 has its node: %2.").arg(m_name, node),
                           e.zxid.valid() ? tr("Created by transaction %1, which will be its fencing token.")
                                                .arg(format::zxid(e.zxid))
                                          : QString());
        case Operation::remove:
            return explain(tr("The server deleted %1's node %2.").arg(m_name, node),
                           tr("The clients that watched it have been notified."));
        case Operation::getChildren:
            return explain(tr("%1 got the list: %Ln nodes.", nullptr, static_cast<int>(e.count)).arg(m_name),
                           tr("It sorts them by their numbers and looks for its own."));
        case Operation::getData:
            if (m_row && m_row->phase == replay::ClientPhase::waiting)
                return explain(
                    tr("%1 is still in front, so %2 set a watch on it and sleeps.").arg(node, m_name),
                    tr("getData, not exists: no stray watch is left behind."));
            if (ownNode(e.node))
                return explain(tr("%1 watches its own node %2.").arg(m_name, node),
                               tr("It will be notified if the node is deleted while it holds."));
            return explain(tr("%1 is still there; %2 has read it.").arg(node, m_name));
        case Operation::setData:
            return explain(announced()
                               ? tr("The server stored %1's announcement that it holds the lock.").arg(m_name)
                               : tr("The server wrote the data of node %1 for %2.").arg(node, m_name));
        case Operation::exists:
            if (m_role == LockRole::herd)
                return explain(tr("The one node is there, and %1 watches it.").arg(m_name),
                               tr("When it is deleted, all clients that watch it are woken."));
            return explain(tr("The server replied to %2 that node %1 exists.").arg(node, m_name));
        case Operation::sync:
            break;
        }
        return explain(tr("%1's server has caught up.").arg(m_name));
    }

    void wokenByGone(const trace::WatchFired& e)
    {
        const QString node = format::sequenceNumber(e.node);
        if (m_role == LockRole::herd)
            return explain(tr("The one node was deleted: its watch woke %1.").arg(m_name),
                           tr("All other clients that watched it were woken too; each tries to create it."));
        if (reads())
            return explain(
                tr("The writer in front of %1, %2, was deleted: its watch woke %1.").arg(m_name, node),
                tr("Another writer may be in front, so %1 lists again.").arg(m_name));
        return explain(
            tr("The node in front of %1, %2, was deleted: its watch woke %1.").arg(m_name, node),
            announced()
                ? tr("If the owner of node %1 had announced its hold, no node is left in front; if not, %2 "
                     "lists "
                     "again.")
                      .arg(node, m_name)
                : tr("%1 may have been a waiter that gave up, so %2 lists again and holds only if it is "
                     "first.")
                      .arg(node, m_name));
    }

    const trace::Event& m_event;
    const replay::RunState& m_state;
    const trace::TraceStore* m_store;
    bool m_explains;
    const replay::ClientRow* m_row; // null: the event has no client
    const replay::LockRow* m_lock;  // null: the event has no lock, or the state does not know it
    QString m_name;
    LockRole m_role; // for the sentences
    EventText m_text;
};

EventText textOf(const trace::Event& event, const replay::RunState& state, const trace::TraceStore* store,
                 bool explains)
{
    return EventNarrator(event, state, store, explains).text();
}

} // namespace

QString arrowText(LogArrow arrow)
{
    switch (arrow) {
    case LogArrow::none:
        return QStringLiteral("·");
    case LogArrow::toServer:
        return QStringLiteral("→");
    case LogArrow::fromServer:
        return QStringLiteral("←");
    case LogArrow::watch:
        return QStringLiteral("⚡");
    case LogArrow::gained:
        return QStringLiteral("●");
    case LogArrow::released:
        return QStringLiteral("○");
    case LogArrow::fault:
        return QStringLiteral("!");
    }
    return {};
}

LogLine logLine(const trace::Event& event, const replay::RunState& state, const trace::TraceStore* store)
{
    return textOf(event, state, store, false).line;
}

EventLabel eventLabel(const trace::Event& event, const trace::TraceStore& store)
{
    static const replay::RunState kNoState;
    EventText text = textOf(event, kNoState, &store, false);
    return {std::move(text.labels), text.line.tone};
}

Explanation explain(const replay::RunState& state, const trace::Event& event)
{
    return textOf(event, state, nullptr, true).sentences;
}

} // namespace lockscope::ui
