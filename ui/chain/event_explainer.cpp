#include "ui/chain/event_explainer.h"

#include "core/trace/command_verb.h"
#include "ui/chain/chain_text.h"
#include "ui/chain/next_step.h"
#include "ui/models/command_text.h"
#include "ui/models/core_messages.h"
#include "ui/models/format.h"
#include "ui/models/watched_lock_text.h"

#include <variant>

namespace lockscope::ui {

using chain::RecipeKind;

namespace {

QString opName(trace::Op op)
{
    switch (op) {
    case trace::Op::create:
        return QStringLiteral("create");
    case trace::Op::remove:
        return QStringLiteral("delete");
    case trace::Op::getChildren:
        return QStringLiteral("getChildren");
    case trace::Op::getData:
        return QStringLiteral("getData");
    case trace::Op::setData:
        return QStringLiteral("setData");
    case trace::Op::exists:
        return QStringLiteral("exists");
    case trace::Op::sync:
        break;
    }
    return QStringLiteral("sync");
}

} // namespace

Explanation explain(const replay::RunState& state, const trace::Event& event)
{
    return std::visit(EventExplainer(state, event), event.what);
}

EventExplainer::EventExplainer(const replay::RunState& state, const trace::Event& event)
    : m_state(state)
    , m_event(event)
    , m_row(state.client(event.client))
    , m_name(event.client.valid() ? chain::ChainText::clientName(state, event.client) : QString())
    , m_kind(chain::recipeKind(state, event.lock))
{}

bool EventExplainer::announced() const
{
    const replay::LockRow* lock = m_state.lock(m_event.lock);
    return lock && lock->announcesHandoff();
}

bool EventExplainer::reads() const
{
    const replay::NodeRow* own =
        m_row && !m_row->node.empty() ? m_state.node(m_event.lock, m_row->node) : nullptr;
    return own && own->reads;
}

QString EventExplainer::withWhom(const QString& text) const
{
    return m_name.isEmpty() ? text : tr("%1: %2").arg(m_name, text);
}

Explanation EventExplainer::operator()(const trace::RunState& e) const
{
    switch (e.phase) {
    case trace::RunPhase::starting:
        return {withWhom(tr("The run starts.")), {}};
    case trace::RunPhase::running:
        return {withWhom(tr("The run is in progress.")), {}};
    case trace::RunPhase::paused:
        return {withWhom(tr("The run is paused.")),
                tr("No client takes its next step; sessions are kept alive.")};
    case trace::RunPhase::finished:
        return {withWhom(tr("The run is over.")), translateMessage(e.detail)};
    case trace::RunPhase::failed:
        break;
    }
    return {withWhom(tr("The run failed.")), translateMessage(e.detail)};
}

Explanation EventExplainer::operator()(const trace::ServerState& e) const
{
    const QString address = format::plain(e.address, 60);
    switch (e.phase) {
    case trace::ServerPhase::starting:
        return {withWhom(tr("ZooKeeper is starting.")), {}};
    case trace::ServerPhase::ready:
        return {withWhom(tr("ZooKeeper %1 answers at %2.").arg(format::plain(e.version, 30), address)), {}};
    case trace::ServerPhase::down:
        return {withWhom(tr("ZooKeeper at %1 does not answer.").arg(address)),
                tr("Sessions are suspended: no client can know whether it still holds.")};
    case trace::ServerPhase::stopped:
        break;
    }
    return {withWhom(tr("ZooKeeper was stopped.")), {}};
}

Explanation EventExplainer::operator()(const trace::LockAdded& e) const
{
    const QString path = format::plain(e.path, 60);
    return {withWhom(m_kind == chain::RecipeKind::herd
                         ? tr("The one node of this lock comes and goes below %1.").arg(path)
                     : m_kind == chain::RecipeKind::leases
                         ? tr("The children of %1 are the leases that are out.").arg(path)
                         : tr("The children of %1 are the queue of this lock.").arg(path)),
            m_kind == chain::RecipeKind::queue
                ? tr("The child with the lowest number holds it; the others wait in order.")
                : QString()};
}

Explanation EventExplainer::operator()(const trace::ClientAdded& e) const
{
    return {tr("%1 joins the run.").arg(m_name.isEmpty() ? format::plain(e.name, 24) : m_name),
            tr("It opens a ZooKeeper session of its own first.")};
}

Explanation EventExplainer::operator()(const trace::ClientRemoved&) const
{
    return {tr("%1 left the run.").arg(m_name), tr("Its session is closed, so it leaves no node behind.")};
}

Explanation EventExplainer::operator()(const trace::Command& e) const
{
    const QString whom = m_name.isEmpty() ? tr("a client") : m_name;
    switch (trace::commandVerb(e.verb)) {
    case trace::CommandVerb::killSession:
        return {tr("What if %1's session is killed?").arg(whom),
                tr("The server drops its nodes at once; %1 learns of it only later.").arg(whom)};
    case trace::CommandVerb::killHolder:
        return {tr("What if the holder's session is killed? It is %1.").arg(whom),
                tr("The server drops its node at once, and the next in the queue is woken.")};
    case trace::CommandVerb::freeze:
        return {tr("What if %1 freezes? It takes no step and sends no heartbeat.").arg(whom),
                tr("If that lasts longer than its timeout, the server ends its session.")};
    case trace::CommandVerb::thaw:
        return {tr("%1 continues from where it was frozen.").arg(whom),
                tr("It may still rely on something that has changed meanwhile.")};
    default:
        break;
    }
    const QString argument = format::plain(e.argument, 60);
    const QString words = commandText(e.verb, m_name);
    return {argument.isEmpty() || argument == m_name ? tr("Command: %1.").arg(words)
                                                     : tr("Command: %1, %2.").arg(words, argument),
            {}};
}

Explanation EventExplainer::operator()(const trace::CommandRefused& e) const
{
    return {tr("The command was refused: %1.").arg(commandText(e.verb, m_name)),
            translateMessage(e.reason)};
}

Explanation EventExplainer::operator()(const trace::PaceChanged& e) const
{
    if (e.step <= Duration::zero())
        return {withWhom(tr("Every step is taken at once: full speed.")), {}};
    return {withWhom(tr("Every protocol step now waits %1 first.").arg(format::duration(e.step))),
            tr("The steps and their order stay as they are; only the time between them grows.")};
}

Explanation EventExplainer::operator()(const trace::Notice& e) const
{
    const QString text = translateMessage(e.text, 200);
    return {withWhom(text.isEmpty() ? tr("A notice without text.") : text), {}};
}

Explanation EventExplainer::operator()(const trace::SessionState& e) const
{
    switch (e.phase) {
    case trace::SessionPhase::connecting:
        return {tr("%1 connects to ZooKeeper.").arg(m_name), {}};
    case trace::SessionPhase::connected:
        return {tr("%1 is connected: session %2, timeout %3.")
                    .arg(m_name, format::sessionShort(e.session), format::duration(e.timeout)),
                tr("Its nodes live as long as this session does.")};
    case trace::SessionPhase::suspended:
        return {tr("%1 lost contact with ZooKeeper.").arg(m_name),
                tr("Its session may still live until the timeout, so %1 cannot know whether its node is "
                   "still there.")
                    .arg(m_name)};
    case trace::SessionPhase::lost:
        return {tr("%1 knows now that its session is lost.").arg(m_name),
                tr("Whatever it held or waited for is gone; it needs a new session.")};
    case trace::SessionPhase::closed:
        break;
    }
    return {tr("%1 closed its session.").arg(m_name), tr("The server deletes its nodes at once.")};
}

Explanation EventExplainer::operator()(const trace::SessionGone& e) const
{
    const QString session = format::sessionShort(e.session);
    if (m_row && m_row->isStale)
        return {tr("The server ended %1's session %2 and deleted its node.").arg(m_name, session),
                tr("%1 has not heard of it: it still believes it holds the lock.").arg(m_name)};
    return {m_name.isEmpty() ? tr("The server ended session %1.").arg(session)
                             : tr("The server ended %1's session %2.").arg(m_name, session),
            tr("Its ephemeral nodes went with it.")};
}

Explanation EventExplainer::operator()(const trace::Thinks& e) const
{
    if (e.planned <= Duration::zero())
        return {tr("%1 does not need the lock for a moment.").arg(m_name), {}};
    return {tr("%1 works on something else for %2.").arg(m_name, format::duration(e.planned)),
            tr("It does not need the lock, so it has no node in the queue.")};
}

Explanation EventExplainer::operator()(const trace::ResourceUse& e) const
{
    const QString token = format::zxid(e.token);
    switch (e.action) {
    case trace::ResourceAction::entered:
        return {tr("%1 uses the protected resource with token %2.").arg(m_name, token),
                tr("The resource remembers the highest token it has seen.")};
    case trace::ResourceAction::left:
        return {tr("%1 is done with the protected resource.").arg(m_name), {}};
    case trace::ResourceAction::conflict:
        return {tr("%1 uses the resource while another client uses it too.").arg(m_name),
                tr("Two clients believed they held. A lock alone cannot prevent that; a checked token can.")};
    case trace::ResourceAction::refused:
        break;
    }
    return {tr("The resource refused %1: its token %2 is out of date.").arg(m_name, token),
            tr("A later holder was there with a higher token, so no harm was done.")};
}

Explanation EventExplainer::operator()(const trace::ClientFinished&) const
{
    return {tr("%1 has finished all its cycles.").arg(m_name), tr("It will not ask for the lock again.")};
}

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

QString EventExplainer::firstStep(const replay::RunState& state, LockId lock)
{
    const replay::LockRow* row = state.lock(lock);
    switch (chain::recipeKind(state, lock)) {
    case RecipeKind::readWrite:
        return tr("It will create a numbered node, to read or to write, and look who is in the way.");
    case RecipeKind::herd:
        return tr("It will try to create the one node that all clients want: the client that creates it holds the lock.");
    case RecipeKind::herdReadWrite:
        return tr("It will create a numbered node and read the list with a watch on all of it.");
    case RecipeKind::leases:
    case RecipeKind::entrance:
        return tr("It will queue at the entrance, and look for a lease when it is first there.");
    case RecipeKind::several:
        return tr("It will take the locks one after another, with a numbered node in each.");
    case RecipeKind::none:
        return tr("No client takes a lock here: it uses the resource without one.");
    case RecipeKind::queue:
        break;
    }
    if (row && row->kind() == trace::RecipeKind::unprotectedMutex)
        return tr(
            "It will create a numbered node without an id of its own in the name, and look who is in front.");
    return tr("It will create a numbered node and look who is in front.");
}

Explanation EventExplainer::operator()(const trace::AcquireCalled& e) const
{
    if (m_row && m_row->depth > 0)
        return {tr("%1 asks for the lock that it holds already.").arg(m_name),
                tr("It may enter again: only its own count will go up.")};
    const QString what = tr("%1 asks for the lock.").arg(m_name);
    const QString next = firstStep(m_state, m_event.lock);
    if (e.timeout == kForever)
        return {what, next};
    return {what, tr("%1 It gives up after %2.").arg(next, format::duration(e.timeout))};
}

// No node blocks it.
Explanation EventExplainer::decidedAlone(const trace::Decided& e) const
{
    const QString own = format::sequenceNumber(e.node), count = format::count(e.count);
    switch (m_kind) {
    case RecipeKind::leases:
        return {tr("%1 are out, and %2 is one of them: %3 may take its lease.").arg(count, own, m_name),
                tr("There are as many leases as may be out at once.")};
    case RecipeKind::entrance:
        return {tr("%1 is the first at the entrance, so %2 may look for a lease.").arg(own, m_name),
                tr("Only one looks at a time, so the leases go out in order.")};
    case RecipeKind::readWrite:
    case RecipeKind::herdReadWrite:
        if (reads())
            return {tr("No writer is in front of %1, so %2 may read.").arg(own, m_name),
                    tr("Readers hold together; a writer that comes later waits for them.")};
        break;
    default:
        break;
    }
    return {e.count > 1 ? tr("%1 is the first of %2 nodes, so %3 may take the lock.").arg(own, count, m_name)
                        : tr("%1 is the only node, so %2 may take the lock.").arg(own, m_name),
            tr("No node can get in front of it: later nodes get higher numbers.")};
}

Explanation EventExplainer::operator()(const trace::Decided& e) const
{
    if (const replay::LockRow* lock = m_state.lock(m_event.lock); lock && lock->watched)
        return {tr("Node %1 of %2 is first: entitled, by the server's queue.").arg(format::sequenceNumber(e.node), m_name),
                watchedUnknownText()};
    if (e.position == 0)
        return decidedAlone(e);
    const QString own = format::sequenceNumber(e.node), ahead = format::sequenceNumber(e.ahead);
    const QString count = format::count(e.position);
    if (m_kind == RecipeKind::leases)
        return {tr("Too few leases are left, so %1 has to wait.").arg(m_name),
                tr("It watches the list of leases, not one of them: any may come back.")};
    const QString watch =
        m_kind == RecipeKind::herdReadWrite
            ? tr("It watches the whole list: every change wakes it, and all who wait.")
        : e.position == 1 && !reads()
            ? tr("It will watch %1, which is directly in front of its own %2.").arg(ahead, own)
        : reads()
            ? tr("It will watch %1, a writer: other readers do not matter to it.").arg(ahead)
            : tr("It will watch only %1, directly in front of it: when that node is deleted, no other client has to wake up.")
                  .arg(ahead);
    if (e.position == 1)
        return {tr("%1 is still in front, so %2 has to wait.").arg(ahead, m_name), watch};
    return {reads() ? tr("%1 writers are in front of %2's %3, so it has to wait.").arg(count, m_name, own)
                    : tr("%1 nodes are in front of %2's %3, so it has to wait.").arg(count, m_name, own),
            watch};
}

Explanation EventExplainer::operator()(const trace::Acquired& e) const
{
    const QString node = format::sequenceNumber(e.node), token = format::zxid(e.token);
    if (m_kind == RecipeKind::leases)
        return {tr("%1 has a lease: its node %2.").arg(m_name, node), {}};
    if (m_kind == RecipeKind::entrance)
        return {tr("%1 is first at the entrance with node %2.").arg(m_name, node),
                tr("It can look for a lease now; no other client does meanwhile.")};
    if (reads())
        return {tr("%1 holds the lock to read: no writer is in front of its node %2.").arg(m_name, node),
                e.token.valid() ? tr("Its fencing token is %1; every later writer's is higher.").arg(token)
                                : QString()};
    return {m_kind == RecipeKind::herd ? tr("%1 holds the lock: it made the one node.").arg(m_name)
                                       : tr("%1 holds the lock: its node %2 is first.").arg(m_name, node),
            e.token.valid() ? tr("Its fencing token is %1; every later holder's is higher.").arg(token)
                            : QString()};
}

Explanation EventExplainer::operator()(const trace::Reentered& e) const
{
    return {tr("%1 took the lock again: depth %2.").arg(m_name, QString::number(e.depth)),
            tr("Only the client counts this; ZooKeeper hears nothing. It must release as often.")};
}

Explanation EventExplainer::operator()(const trace::AcquireFailed& e) const
{
    const QString detail = translateMessage(e.detail);
    switch (e.reason) {
    case trace::FailReason::timedOut:
        return {tr("%1 waited as long as it would and gave up.").arg(m_name),
                tr("It deletes its node; the client that watched that node lists again.")};
    case trace::FailReason::cancelled:
        return {tr("%1 was asked to stop waiting.").arg(m_name),
                tr("It deletes its node, so that no client waits for it.")};
    case trace::FailReason::sessionLost:
        return {tr("%1 cannot get the lock: its session is lost.").arg(m_name),
                tr("Its node went with the session, and its place in the queue.")};
    case trace::FailReason::retriesExhausted:
        return {tr("%1 gave up after its retries.").arg(m_name), detail};
    case trace::FailReason::error:
        break;
    }
    return {tr("%1 failed to get the lock.").arg(m_name), detail};
}

Explanation EventExplainer::operator()(const trace::StartedOver& e) const
{
    const QString why = translateMessage(e.why);
    return {e.node.empty() ? tr("%1 starts over with a new node.").arg(m_name)
                           : tr("%1 starts over: its node %2 is not in the list.")
                                 .arg(m_name, format::sequenceNumber(e.node)),
            why.isEmpty() ? tr("A new node goes to the end of the queue.") : why};
}

Explanation EventExplainer::operator()(const trace::ReleaseCalled& e) const
{
    if (e.depth > 1)
        return {tr("%1 gives back one of %2 levels and still holds.").arg(m_name, QString::number(e.depth)),
                tr("Only the last release deletes the node.")};
    const auto follows = [this] {
        switch (m_kind) {
        case RecipeKind::herd:
            return tr("That wakes all clients that watch the node; one of them will acquire the lock.");
        case RecipeKind::herdReadWrite:
            return tr("That changes the list and wakes all clients that watch it.");
        case RecipeKind::leases:
            return tr("That changes the list of leases, which the first client at the entrance watches.");
        case RecipeKind::readWrite:
            return tr(
                "That fires the watches of those who wait for this node: several readers, or a writer.");
        case RecipeKind::entrance:
            return tr("The next one at the entrance is woken and looks for a lease.");
        default:
            return tr("That fires the watch of the one client directly behind it.");
        }
    };
    const QString node = format::sequenceNumber(e.node);
    return {m_kind == RecipeKind::leases
                ? tr("%1 gives its lease back: it deletes its node %2.").arg(m_name, node)
            : m_kind == RecipeKind::entrance
                ? tr("%1 leaves the entrance: it deletes its node %2.").arg(m_name, node)
                : tr("%1 releases the lock: it deletes its node %2.").arg(m_name, node),
            follows()};
}

Explanation EventExplainer::operator()(const trace::Released& e) const
{
    if (e.depth > 0)
        return {tr("%1 still holds the lock, at depth %2.").arg(m_name, QString::number(e.depth)), {}};
    return {tr("%1 has released: the server confirmed that %2 is deleted.")
                .arg(m_name, format::sequenceNumber(e.node)),
            tr("It was given back at the moment of the delete, not of this reply.")};
}

Explanation EventExplainer::operator()(const trace::HoldLost& e) const
{
    const QString late =
        m_row && m_row->staleFor > Duration::zero()
            ? tr("It believed so for %1 after the server had dropped it.")
                  .arg(format::duration(m_row->staleFor))
            : tr("Until now it believed that it held; a checked token keeps such a client out.");
    switch (e.reason) {
    case trace::LostReason::sessionExpired:
        return {tr("%1 learned that it does not hold any more: its session expired.").arg(m_name), late};
    case trace::LostReason::sessionKilled:
        return {tr("%1 learned that it does not hold any more: its session was killed.").arg(m_name), late};
    case trace::LostReason::sessionTimedOut:
        return {tr("%1 gave up its hold: no word from ZooKeeper for a whole timeout.").arg(m_name),
                tr("It cannot know whether its node is still there, so it must not go on.")};
    case trace::LostReason::nodeDeleted:
        return {tr("%1 no longer holds the lock: its node %2 was deleted.")
                    .arg(m_name, format::sequenceNumber(e.node)),
                late};
    case trace::LostReason::closed:
        break;
    }
    return {tr("%1 does not hold any more: its session was closed.").arg(m_name), {}};
}

Explanation EventExplainer::operator()(const trace::Request& e) const
{
    const QString node = format::sequenceNumber(e.node);
    const QString& who = m_name;
    switch (e.op) {
    case trace::Op::create:
        if (m_kind == RecipeKind::herd)
            return {tr("%1 tries to create the one node: ephemeral, without a number.").arg(who),
                    tr("Only one create can succeed: the client whose create does holds the lock.")};
        return {tr("%1 asks for a node of its own: create, ephemeral and sequential.").arg(who),
                tr("The server picks the number, so the order is the server's.")};
    case trace::Op::remove:
        return {tr("%1 sends the delete of its node %2.").arg(who, node),
                tr("It is given back when the server has done that, before %1 hears so.").arg(who)};
    case trace::Op::getChildren:
        return {tr("%1 asks for the list of all nodes.").arg(who),
                e.watch      ? tr("With a watch on the whole list: it is notified of the next change.")
                : e.together ? tr("Sent together with the create: the server answers in order, so one round "
                                  "trip is saved.")
                             : tr("Without a watch: it wants to know its place, not every change.")};
    case trace::Op::getData:
        if (!e.watch)
            return {tr("%1 reads node %2.").arg(who, node), {}};
        if (ownNode(e.node))
            return {tr("%1 sets a watch on its own node %2.").arg(who, node),
                    tr("It will be notified if the node is deleted while it holds.")};
        return {reads() ? tr("%1 sets a watch on %2, a writer in front.").arg(who, node)
                        : tr("%1 sets a watch on %2, the node in front.").arg(who, node),
                tr("getData, not exists: if the node is gone already, no stray watch is left behind.")};
    case trace::Op::setData:
        return {announced() ? tr("%1 writes into its node that it holds.").arg(who)
                            : tr("%1 writes to node %2.").arg(who, node),
                announced()
                    ? tr("Its successor reads this during the hold, and need not list again after it.")
                    : QString()};
    case trace::Op::exists:
        return {tr("%1 asks whether node %2 exists.").arg(who, node),
                e.watch ? tr("With a watch, which stays even if the node does not exist.") : QString()};
    case trace::Op::sync:
        break;
    }
    return {tr("%1 asks its server to catch up.").arg(who),
            tr("What it reads next is not older than this moment.")};
}

// A successful reply.
Explanation EventExplainer::answered(const trace::Reply& e) const
{
    const QString node = format::sequenceNumber(e.node);
    switch (e.op) {
    case trace::Op::create:
        return {
            tr("%1 has its node: %2.").arg(m_name, node),
            e.zxid.valid()
                ? tr("Created by transaction %1, which will be its fencing token.").arg(format::zxid(e.zxid))
                : QString()};
    case trace::Op::remove:
        return {tr("The server deleted %1's node %2.").arg(m_name, node),
                tr("The clients that watched it have been notified.")};
    case trace::Op::getChildren:
        return {e.count == 1 ? tr("%1 got the list: one node.").arg(m_name)
                             : tr("%1 got the list: %2 nodes.").arg(m_name, format::count(e.count)),
                tr("It sorts them by their numbers and looks for its own.")};
    case trace::Op::getData:
        if (m_row && m_row->phase == replay::ClientPhase::waiting)
            return {tr("%1 is still in front, so %2 set a watch on it and sleeps.").arg(node, m_name),
                    tr("getData, not exists: no stray watch is left behind.")};
        if (ownNode(e.node))
            return {tr("%1 watches its own node %2.").arg(m_name, node),
                    tr("It will be notified if the node is deleted while it holds.")};
        return {tr("%1 is still there; %2 has read it.").arg(node, m_name), {}};
    case trace::Op::setData:
        return {announced() ? tr("The server noted that %1 holds.").arg(m_name)
                            : tr("The server changed %1 for %2.").arg(node, m_name),
                {}};
    case trace::Op::exists:
        if (m_kind == RecipeKind::herd)
            return {tr("The one node is there, and %1 watches it.").arg(m_name),
                    tr("When it is deleted, all clients that watch it are woken.")};
        return {tr("Node %1 exists, the server replied to %2.").arg(node, m_name), {}};
    case trace::Op::sync:
        break;
    }
    return {tr("%1's server has caught up.").arg(m_name), {}};
}

Explanation EventExplainer::operator()(const trace::Reply& e) const
{
    const QString op = opName(e.op), node = format::sequenceNumber(e.node);
    switch (e.outcome) {
    case trace::Outcome::ok:
        return answered(e);
    case trace::Outcome::noNode:
        if (e.op == trace::Op::exists && m_kind == RecipeKind::herd)
            return {tr("The one node just left, before %1 could see it.").arg(m_name),
                    tr("%1 does not sleep: it tries again to create it.").arg(m_name)};
        if (e.op == trace::Op::exists)
            return {tr("Node %1 just left; %2's watch on it stays behind.").arg(node, m_name),
                    tr("%1 does not sleep: it lists the nodes again.").arg(m_name)};
        if (e.op == trace::Op::getData)
            return {tr("Node %1 just left, before %2 could watch it.").arg(node, m_name),
                    tr("%1 does not sleep: it lists the nodes again.").arg(m_name)};
        if (e.op == trace::Op::remove)
            return {tr("%1's node %2 was gone already.").arg(m_name, node),
                    tr("Then there is nothing left to delete.")};
        if (e.op == trace::Op::create)
            return {tr("%1 could not create its node: the lock's path does not exist yet.").arg(m_name),
                    tr("It creates the path as a container and tries again.")};
        return {tr("The server replied to %1 that there is no such node.").arg(m_name), {}};
    case trace::Outcome::nodeExists:
        if (m_kind == RecipeKind::herd)
            return {tr("%1 could not create the node: another client has created it.").arg(m_name),
                    tr("It will watch that node, as all waiting clients do.")};
        return {tr("The server replied to %1 that the node exists already.").arg(m_name), {}};
    case trace::Outcome::refused:
        return {tr("The server refused %1's %2.").arg(m_name, op), tr("It did not happen.")};
    case trace::Outcome::unknown:
        return {tr("The reply to %1's %2 was lost: it may have happened or not.").arg(m_name, op),
                e.op == trace::Op::create
                    ? tr("%1 looks for a node with its own _c_ id before it creates another.").arg(m_name)
                    : tr("%1 has to find out before it goes on.").arg(m_name)};
    case trace::Outcome::sessionGone:
        break;
    }
    return {tr("%1's %2 had no session any more.").arg(m_name, op), tr("Its nodes went with the session.")};
}

bool EventExplainer::ownNode(replay::Text node) const { return m_row && !node.empty() && m_row->node == node; }

Explanation EventExplainer::wokenByGone(const trace::WatchFired& e) const
{
    const QString node = format::sequenceNumber(e.node);
    if (m_kind == RecipeKind::herd)
        return {tr("The one node is gone: its watch woke %1.").arg(m_name),
                tr("All other clients that watched it were woken too; each tries to create it.")};
    if (reads())
        return {tr("The writer in front of %1, %2, is gone: its watch woke %1.").arg(m_name, node),
                tr("Another writer may be in front, so %1 lists again.").arg(m_name)};
    return {
        tr("The node in front of %1, %2, is gone: its watch woke %1.").arg(m_name, node),
        announced()
            ? tr("If %1 had announced that it held, no node is left in front; if not, %2 lists again.")
                  .arg(node, m_name)
            : tr("%1 may have been a waiter that gave up, so %2 lists again and holds only if it is first.")
                  .arg(node, m_name)};
}

Explanation EventExplainer::operator()(const trace::WatchFired& e) const
{
    const QString node = format::sequenceNumber(e.node);
    switch (e.kind) {
    case trace::WatchKind::nodeDeleted:
        if (ownNode(e.node))
            return {tr("%1's own node %2 was deleted.").arg(m_name, node),
                    tr("Its place in the queue is gone with it.")};
        return wokenByGone(e);
    case trace::WatchKind::nodeChanged:
        return {
            tr("%1 was notified that node %2 changed.").arg(m_name, node),
            announced()
                ? tr("%1 announces that it holds; %2 reads that and sets its watch again.").arg(node, m_name)
                : tr("A watch fires once; %1 has to set it again.").arg(m_name)};
    case trace::WatchKind::nodeCreated:
        return {tr("%1 was notified that node %2 exists now.").arg(m_name, node), {}};
    case trace::WatchKind::childrenChanged:
        break;
    }
    return {tr("%1 was notified that the list of nodes changed.").arg(m_name),
            m_kind == RecipeKind::leases ? tr("It reads the list of leases again.")
                                         : tr("This wakes all clients that watch the list.")};
}

Explanation EventExplainer::operator()(const trace::NodeSeen& e) const
{
    const QString session = format::sessionShort(e.session);
    if (const replay::LockRow* lock = m_state.lock(m_event.lock); lock && lock->watched) {
        const replay::NodeRow* there = m_state.node(lock->id, e.node);
        const QString node = format::plain(e.node, 60);
        const QString doubt = there ? watchedDoubtText(*there) : QString();
        return {there ? tr("The server has node %1: %2, %3.").arg(node, watchedKindText(*there), watchedOwnerText(*there))
                      : tr("The server has node %1.").arg(node),
                doubt.isEmpty() ? tr("Read by the observer, which takes no part in the lock.") : doubt};
    }
    if (e.foreign)
        return {withWhom(tr("The server has a node that is not ours: %1.").arg(format::plain(e.node, 60))),
                tr("Curator counts every child, so it counts in the queue.")};
    const QString node = format::sequenceNumber(e.node);
    return {m_name.isEmpty() ? tr("The server has node %1, of session %2.").arg(node, session)
                             : tr("The server has node %1 of %2, session %3.").arg(node, m_name, session),
            tr("Read by the observer, which takes no part in the lock.")};
}

Explanation EventExplainer::operator()(const trace::NodeVanished& e) const
{
    return {withWhom(tr("The server does not have node %1 any more.").arg(format::sequenceNumber(e.node))),
            tr("Read by the observer, which takes no part in the lock.")};
}

Explanation EventExplainer::operator()(const trace::Observed& e) const
{
    return {withWhom(e.count == 1
                         ? tr("The observer read the whole list: one node.")
                         : tr("The observer read the whole list: %1 nodes.").arg(format::count(e.count))),
            tr("It agrees with the events before it.")};
}

Explanation EventExplainer::operator()(const trace::PathState& e) const
{
    const replay::LockRow* lock = m_state.lock(m_event.lock);
    const QString path = lock ? format::plain(lock->path, 60) : QString();
    switch (e.kind) {
    case trace::PathKind::missing:
        return {tr("%1 does not exist.").arg(path), tr("The server tells when it is created.")};
    case trace::PathKind::folder:
        return {tr("%1 is a folder: %2 of its %3 children are locks.")
                    .arg(path, format::count(e.locks), format::count(e.children)),
                tr("Its children are no queue.")};
    case trace::PathKind::queue:
        break;
    }
    return {tr("%1 exists.").arg(path), tr("Its children are read, and read again after every change.")};
}

Explanation EventExplainer::operator()(const trace::WatchSeen& e) const
{
    return {withWhom(tr("The server's table has a watch on node %1, of session %2.")
                         .arg(format::sequenceNumber(e.node), format::sessionShort(e.session))),
            tr("The servers are asked for all watches by path (wchp).")};
}

Explanation EventExplainer::operator()(const trace::WatchVanished& e) const
{
    return {withWhom(tr("The server's table does not have the watch on node %1 of session %2 any more.")
                         .arg(format::sequenceNumber(e.node), format::sessionShort(e.session))),
            tr("A watch goes when it fires, and with its connection.")};
}

Explanation EventExplainer::operator()(const trace::WatchesRead& e) const
{
    if (!e.refusal.empty())
        return {withWhom(tr("The server does not show its watches.")), translateMessage(e.refusal, 300)};
    return {withWhom(e.count == 1
                         ? tr("The server's watch table was read: one watch.")
                         : tr("The server's watch table was read: %1 watches.").arg(format::count(e.count))),
            tr("It agrees with the events before it.")};
}

} // namespace lockscope::ui
