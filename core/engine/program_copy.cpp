#include "core/engine/program_copy.h"

#include "core/base/numbers.h"
#include "core/queue/number.h"
#include "core/sim/tracing/trace_observer.h"

#include <signal.h>

#include <algorithm>
#include <utility>

namespace lockscope::engine {

namespace {

constexpr OwnerId kOwner{0}; // a program has one thread that the lines are about

constexpr std::size_t kQuoted = 60; // characters of a line

// The name below the lock's path, or that of the path itself; none for other paths.
std::optional<std::string> nodeIn(std::string_view path, std::string_view lock)
{
    if (path == lock)
        return std::string();
    if (path.size() > lock.size() + 1 && path.starts_with(lock) && path[lock.size()] == '/')
        return std::string(path.substr(lock.size() + 1));
    return std::nullopt;
}

std::optional<Zxid> tokenOf(std::string_view text)
{
    const auto number = text.starts_with("0x") ? parseWhole<std::int64_t>(text.substr(2), 16)
                                               : parseWhole<std::int64_t>(text);
    return number ? std::optional(Zxid{*number}) : std::nullopt;
}

} // namespace

// One connection of the program.
class ProgramCopy::Traffic final : public zk::wire::TrafficSink
{
public:
    Traffic(ProgramCopy& copy, std::uint64_t number)
        : m_copy(copy)
        , m_number(number)
    {}
    void onSession(const zk::wire::ConnectReply& reply) override { m_copy.onSession(m_number, reply); }
    std::uint32_t onRequest(const zk::wire::SeenRequest& seen) override { return m_copy.onRequest(seen); }
    void onReply(const zk::wire::SeenRequest& request, const zk::wire::SeenReply& reply) override
    {
        m_copy.onReply(request, reply);
    }
    void onWatch(const zk::wire::WatcherEvent& event) override { m_copy.onWatch(event); }

    zk::wire::TrafficReader reader{*this};

private:
    ProgramCopy& m_copy;
    std::uint64_t m_number;
};

ProgramCopy::ProgramCopy(CopiesShared& shared, ClientId id, std::string name)
    : m_shared(shared)
    , m_id(id)
    , m_name(std::move(name))
{}

ProgramCopy::~ProgramCopy() = default;

Result<std::unique_ptr<ProgramCopy>> ProgramCopy::open(CopiesShared& shared, ClientId id, std::string name,
                                                       const std::string& hosts, std::uint64_t seed)
{
    std::unique_ptr<ProgramCopy> copy(new ProgramCopy(shared, id, std::move(name)));
    Result<std::unique_ptr<sim::ClientLink>> link = sim::ClientLink::open(shared.io, hosts, seed);
    if (!link)
        return link.error();
    copy->m_link = std::move(*link);
    copy->m_link->onTraffic(
        [one = copy.get()](std::uint64_t connection, bool fromClient, std::string_view bytes) {
            one->onTraffic(connection, fromClient, bytes);
        });
    return copy;
}

// ---- the process -----------------------------------------------------------------------------------------

Result<void> ProgramCopy::start(std::function<void(int status)> ended)
{
    m_ended = std::move(ended);
    m_session = {};
    record(trace::ClientAdded{m_name, static_cast<std::uint16_t>(m_id.value)}, {}, false);
    setPhase(zk::SessionPhase::connecting);
    Result<std::unique_ptr<server::ChildProgram>> program = server::ChildProgram::start(
        m_shared.io,
        {m_shared.command,
         {"LOCKSCOPE_CONNECT=" + m_link->hosts(), "LOCKSCOPE_LOCK=" + m_shared.path,
          "LOCKSCOPE_NAME=" + m_name},
         m_shared.silent},
        {[this](const std::string& line) { onLine(line); }, [this](int status) { onEnded(status); }});
    if (!program)
        return program.error();
    m_program = std::move(*program);
    return {};
}

void ProgramCopy::pause(bool on)
{
    m_paused = on;
    signal(on ? SIGSTOP : SIGCONT);
}

void ProgramCopy::signal(int number)
{
    if (m_program)
        m_program->signal(number);
}

void ProgramCopy::onEnded(int status)
{
    m_paused = false;
    setPhase(zk::SessionPhase::lost); // of this process: its node stays until the server gives the session up
    record(trace::ClientRemoved{}, {}, false);
    m_doing = Doing::nothing;
    m_saysReleasedLater = false;
    m_node.clear();
    m_shared.unanswered.erase(m_id);
    if (m_ended)
        m_ended(status);
}

Result<void> ProgramCopy::apply(const sim::Action& action)
{
    if (const Result<void> applied = m_link->apply(action); !applied)
        return applied;
    record(m_link->state(), {}, false);
    return {};
}

// ---- what it says ----------------------------------------------------------------------------------------

void ProgramCopy::onLine(const std::string& line)
{
    const auto broken = [&](const Message& what) { m_shared.brokenLine(m_id, what); };
    std::string_view text = line;
    while (!text.empty() && (text.back() == '\r' || text.back() == ' '))
        text.remove_suffix(1);
    const bool claims = m_doing == Doing::claims || m_saysReleasedLater;
    if (text == "acquired" || text.starts_with("acquired ")) {
        const std::string_view told = text.substr(std::min(text.size(), std::size_t{9}));
        const std::optional<Zxid> token = told.empty() ? Zxid::none() : tokenOf(told);
        if (!token)
            return broken(message("The token in its line \"%1\" is no whole number.",
                                  std::string(text.substr(0, kQuoted))));
        if (claims)
            return broken(message("It said \"acquired\" twice without \"released\" in between."));
        return onAcquired(*token);
    }
    if (text == "released")
        return claims ? onReleased()
                      : broken(message("It said \"released\" without \"acquired\" before it."));
    broken(message("It wrote the line \"%1\" to its standard output.", std::string(text.substr(0, kQuoted))));
}

void ProgramCopy::onAcquired(Zxid token)
{
    ++m_acquired;
    m_doing = Doing::claims;
    record(trace::Acquired{m_node, token, kOwner});
    m_shared.reached(m_id, ProgramMoment::holds);
}

void ProgramCopy::onReleased()
{
    if (!std::exchange(m_saysReleasedLater, false))
        giveUp();
}

// Of a claim: by its line, or by its delete.
void ProgramCopy::giveUp()
{
    const bool lost = m_session.phase == zk::SessionPhase::lost || (!m_node.empty() && !isOnServer(m_node));
    m_doing = lost || m_node.empty() ? Doing::nothing : Doing::letsGo;
    if (lost)
        return void(record(trace::HoldLost{
            m_node,
            m_session.phase == zk::SessionPhase::lost ? LostReason::sessionExpired : LostReason::nodeDeleted,
            kOwner}));
    const EventIndex called = record(trace::ReleaseCalled{m_node, 1, kOwner});
    if (m_node.empty())
        record(trace::Released{m_node, 0, kOwner}, called);
}

// ---- what passes -----------------------------------------------------------------------------------------

EventIndex ProgramCopy::record(trace::Payload what, EventIndex cause, bool ofLock)
{
    return m_shared.recorder.record(m_id, ofLock ? m_shared.lock : LockId::none(), std::move(what), cause);
}

void ProgramCopy::setPhase(zk::SessionPhase phase)
{
    m_session.phase = phase;
    record(trace::SessionState{phase,
                               m_session.id.valid() ? m_shared.recorder.named(m_session.id) : m_session.id,
                               m_session.timeout},
           {}, false);
}

void ProgramCopy::onTraffic(std::uint64_t connection, bool fromClient, std::string_view bytes)
{
    if (bytes.empty()) {
        m_connections.erase(connection);
        if (connection == m_sessionConnection && m_session.phase == zk::SessionPhase::connected)
            setPhase(zk::SessionPhase::suspended);
        return;
    }
    if (fromClient && m_program)
        m_program->readLines();
    std::unique_ptr<Traffic>& traffic = m_connections[connection];
    if (!traffic)
        traffic = std::make_unique<Traffic>(*this, connection);
    fromClient ? traffic->reader.fromClient(bytes) : traffic->reader.fromServer(bytes);
    if (traffic->reader.understood() || std::exchange(m_notUnderstood, true))
        return;
    record(
        trace::Notice{
            trace::Severity::warning,
            message("What passes between %1 and the server is not understood from here on (TLS, or a frame "
                    "above 4 MB?): only its lines are judged.",
                    m_name),
            "not_understood"},
        {}, false);
}

void ProgramCopy::recordSessionGone(SessionId session, EventIndex cause)
{
    std::erase_if(m_shared.nodes,
                  [&](const auto& node) { return node.second.owner == m_id && session == m_session.id; });
    record(trace::SessionGone{m_shared.recorder.named(session)}, cause, false);
}

void ProgramCopy::onSession(std::uint64_t connection, const zk::wire::ConnectReply& reply)
{
    m_sessionConnection = connection;
    if (reply.timeoutMs <= 0) {
        if (m_session.id.valid() && m_session.phase != zk::SessionPhase::lost) {
            recordSessionGone(m_session.id, EventIndex::none());
            setPhase(zk::SessionPhase::lost);
        }
        if (m_doing != Doing::claims)
            m_doing = Doing::nothing;
        return;
    }
    const SessionId id{reply.identity.session};
    if (id != m_session.id) {
        m_shared.recorder.addOwnSession(id);
        m_shared.unanswered.erase(m_id);
        if (m_doing != Doing::claims)
            m_node.clear();
    }
    m_session.id = id;
    m_session.identity = reply.identity;
    m_session.timeout = std::chrono::milliseconds(reply.timeoutMs);
    setPhase(zk::SessionPhase::connected);
}

std::uint32_t ProgramCopy::onRequest(const zk::wire::SeenRequest& seen)
{
    if (seen.op == OpCode::closeSession) {
        setPhase(zk::SessionPhase::closed);
        m_doing = Doing::nothing;
        return 0;
    }
    const auto node = nodeIn(seen.path, m_shared.path);
    const std::optional<Operation> op = operationOf(seen.op);
    if (!node || !op || (node->empty() && *op != Operation::getChildren && *op != Operation::sync))
        return 0;
    if (*op == Operation::create) {
        m_shared.unanswered[m_id] = *node;
        if (m_doing != Doing::claims && m_doing != Doing::asks) {
            m_doing = Doing::asks;
            record(trace::AcquireCalled{kOwner});
        }
    }
    const bool ownDelete = *op == Operation::remove && *node == m_node && !m_node.empty();
    // What it holds ends with its delete, if it says so only afterwards.
    if (ownDelete && m_doing == Doing::claims) {
        giveUp();
        m_saysReleasedLater = true;
    }
    const EventIndex request = record(trace::Request{*op, *node, seen.watch, false});
    if (*op == Operation::remove)
        m_shared.recorder.recordDeletion(m_shared.lock, *node, request);
    if (*op == Operation::remove || *op == Operation::create)
        m_shared.recorder.recordChange(m_shared.lock, request);
    if (ownDelete && m_doing == Doing::asks) {
        m_doing = Doing::nothing;
        record(trace::AcquireFailed{trace::FailReason::cancelled, kOwner, {}}, request);
    }
    if (*op == Operation::create)
        m_shared.reached(m_id, ProgramMoment::creates);
    else if (ownDelete)
        m_shared.reached(m_id, ProgramMoment::removes);
    else if (*op == Operation::getChildren && node->empty())
        m_shared.reached(m_id, ProgramMoment::lists);
    return request.value + 1; // 0: not recorded
}

void ProgramCopy::onReply(const zk::wire::SeenRequest& request, const zk::wire::SeenReply& reply)
{
    const auto node = nodeIn(request.path, m_shared.path);
    if (request.tag == 0 || !node)
        return;
    const Operation op = *operationOf(request.op);
    const EventIndex asked{request.tag - 1};
    const trace::Outcome outcome = sim::outcomeOf(zk::codeOf(reply.error));
    const bool done = outcome == trace::Outcome::ok;
    if (op == Operation::create)
        return onCreated(request, reply, asked);
    if (op == Operation::getChildren && done)
        return onList(request, reply, asked);
    if (op == Operation::remove && (done || outcome == trace::Outcome::noNode))
        m_shared.nodes.erase(*node);
    const EventIndex event = record(trace::Reply{op, outcome, *node, reply.zxid}, asked);
    if (op != Operation::remove || *node != m_node || (!done && outcome != trace::Outcome::noNode))
        return;
    if (m_doing == Doing::letsGo) {
        m_doing = Doing::nothing;
        record(trace::Released{m_node, 0, kOwner}, event);
    }
    m_node.clear();
}

void ProgramCopy::onCreated(const zk::wire::SeenRequest& request, const zk::wire::SeenReply& reply,
                            EventIndex asked)
{
    m_shared.unanswered.erase(m_id);
    const trace::Outcome outcome = sim::outcomeOf(zk::codeOf(reply.error));
    const std::string node = nodeIn(reply.path, m_shared.path).value_or("");
    if (outcome == trace::Outcome::ok) {
        m_node = node;
        m_shared.nodes[node] = {reply.zxid, m_id};
        m_shared.recorder.recordCreation(m_id, m_shared.lock, node);
    }
    const EventIndex event = record(trace::Reply{Operation::create, outcome, node, reply.zxid}, asked);
    // A node that no session owns.
    if (outcome == trace::Outcome::ok && !request.ephemeral)
        record(trace::NodeSeen{node, SessionId::none(), reply.zxid, false}, event);
}

// What the server had seen when it made the list, and is not in it, is gone: this may be the first
// sign of it.
void ProgramCopy::onList(const zk::wire::SeenRequest& request, const zk::wire::SeenReply& reply,
                         EventIndex asked)
{
    std::erase_if(m_shared.nodes, [&](const auto& node) {
        const bool gone = node.second.created <= reply.zxid && node.first.find('/') == std::string::npos &&
                          std::ranges::find(reply.children, node.first) == reply.children.end();
        if (gone && request.path == m_shared.path)
            m_shared.recorder.record(ClientId::none(), m_shared.lock, trace::NodeVanished{node.first});
        return gone && request.path == m_shared.path;
    });
    const EventIndex event = record(trace::Reply{Operation::getChildren,
                                                 trace::Outcome::ok,
                                                 {},
                                                 reply.zxid,
                                                 static_cast<std::uint32_t>(reply.children.size())},
                                    asked);
    if (request.path != m_shared.path)
        return;
    findOwn(reply.children, reply.zxid);
    const auto own = queue::numberOf(m_node);
    if (m_doing != Doing::asks || !own || std::ranges::find(reply.children, m_node) == reply.children.end())
        return;
    trace::Decided decided{m_node, 0, static_cast<std::uint32_t>(reply.children.size()), {}};
    std::int64_t nearest = 0;
    for (const std::string& name : reply.children) {
        const auto number = queue::numberOf(name);
        if (!number || number->order() >= own->order())
            continue;
        if (decided.position++ == 0 || number->order() > nearest) {
            nearest = number->order();
            decided.ahead = name;
        }
    }
    record(decided, event);
    if (decided.position == 1)
        m_shared.reached(m_id, ProgramMoment::waits);
}

// The node of a create whose reply was lost, by a name that only this copy has asked for.
void ProgramCopy::findOwn(const std::vector<std::string>& names, Zxid seen)
{
    const auto asked = m_shared.unanswered.find(m_id);
    if (asked == m_shared.unanswered.end() || asked->second.empty())
        return;
    const std::string prefix = asked->second;
    const bool shared = std::ranges::any_of(m_shared.nodes, [&](const auto& node) {
        return node.second.owner != m_id && node.first.starts_with(prefix);
    });
    const auto found = std::ranges::find_if(names, [&](const std::string& name) {
        return name.starts_with(prefix) && name.size() == prefix.size() + queue::kDigits;
    });
    // A name with an id in it: 32 hexadecimal digits or a UUID.
    if (shared || found == names.end() || prefix.size() < 32)
        return;
    m_shared.unanswered.erase(asked);
    m_node = *found;
    m_shared.nodes[m_node] = {seen, m_id};
    m_shared.recorder.recordCreation(m_id, m_shared.lock, m_node);
}

void ProgramCopy::onWatch(const zk::wire::WatcherEvent& event)
{
    const auto kind = watchKindOf(event.type);
    const auto node = nodeIn(event.path, m_shared.path);
    if (!kind || !node || (node->empty() && *kind != WatchKind::childrenChanged))
        return;
    trace::Recorder& recorder = m_shared.recorder;
    if (*kind == WatchKind::deleted)
        m_shared.nodes.erase(*node);
    const bool list = *kind == WatchKind::childrenChanged;
    record(trace::WatchFired{*kind, list ? trace::Text() : trace::Text(*node)},
           list                          ? recorder.lastChange(m_shared.lock)
           : *kind == WatchKind::deleted ? recorder.deletedBy(m_shared.lock, *node)
                                         : EventIndex::none());
}

} // namespace lockscope::engine
