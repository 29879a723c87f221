#include "ui/chain/explain.h"

#include "ui/chain/chain_text.h"
#include "ui/chain/event_explainer.h"
#include "ui/models/command_text.h"
#include "ui/models/core_messages.h"
#include "ui/models/format.h"

#include <variant>

namespace lockscope::ui {

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
    return lock && lock->handoff == "announced";
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
    const std::string_view verb = e.verb;
    const QString whom = m_name.isEmpty() ? tr("a client") : m_name;
    if (verb == "kill_session")
        return {tr("What if %1's session is killed?").arg(whom),
                tr("The server drops its nodes at once; %1 learns of it only later.").arg(whom)};
    if (verb == "kill_holder")
        return {tr("What if the holder's session is killed? It is %1.").arg(whom),
                tr("The server drops its node at once, and the next in the queue is woken.")};
    if (verb == "freeze")
        return {tr("What if %1 freezes? It takes no step and sends no heartbeat.").arg(whom),
                tr("If that lasts longer than its timeout, the server ends its session.")};
    if (verb == "thaw")
        return {tr("%1 continues from where it was frozen.").arg(whom),
                tr("It may still rely on something that has changed meanwhile.")};
    const QString argument = format::plain(e.argument, 60);
    const QString words = commandText(verb, m_name);
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
        return {tr("%1 is in the resource while somebody else is in it too.").arg(m_name),
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

} // namespace lockscope::ui
