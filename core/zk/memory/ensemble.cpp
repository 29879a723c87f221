// The sessions, connections, log and faults of the ensemble. ensemble_serve.cpp executes the requests.
#include "core/zk/memory/ensemble.h"

#include "core/zk/memory/memory_session.h"

#include <algorithm>
#include <utility>

namespace lockscope::zk::memory {

namespace {

// As in the C client: a connection is closed when the server sends nothing for two thirds of the timeout.
Duration silenceTimeout(Duration timeout) { return timeout * 2 / 3; }

constexpr std::int64_t kFirstSession = 0x100000000000001;

constexpr std::int64_t kFirstZxid = (std::int64_t{1} << 32) + 1; // the leader's epoch, then a counter

bool removeIfPresent(std::vector<std::string>& watches, const std::string& path)
{
    const auto found = std::find(watches.begin(), watches.end(), path);
    if (found == watches.end())
        return false;
    watches.erase(found);
    return true;
}

} // namespace

Ensemble::Ensemble(VirtualClock& clock, EnsembleOptions options)
    : m_clock(clock)
    , m_options(options)
    , m_leaderTime(clock)
    , m_trees(options.servers)
{}

Ensemble::~Ensemble() = default;

std::shared_ptr<MemorySession> Ensemble::connect(VirtualScheduler& process, SessionOptions options)
{
    auto session = std::make_shared<MemorySession>(*this, process, sessionCount(), options);
    Record& record = m_sessions.emplace_back();
    record.timeout = options.timeout;
    record.client = session.get();
    record.process = &process;
    session->begin();
    return session;
}

// ---- transitions ----

void Ensemble::enabledTransitions(std::vector<Transition>& into) const
{
    for (std::uint32_t server = 0; server < serverCount(); ++server)
        if (nextOf(server))
            into.push_back(Transition{TransitionKind::apply, 0, server});
    for (std::uint32_t i = 0; i < sessionCount(); ++i) {
        const Record& record = m_sessions[i];
        if (!record.requests.empty() && !record.waiting)
            into.push_back(Transition{TransitionKind::serve, i, record.server});
        if (record.expirable && record.alive)
            into.push_back(Transition{TransitionKind::expire, i, 0});
        if (!record.client || record.process->isPaused())
            continue;
        if (!record.messages.empty())
            into.push_back(Transition{TransitionKind::deliver, i, 0});
        else if (!record.linked && record.client->wantsConnect())
            for (std::uint32_t server = 0; server < serverCount(); ++server)
                into.push_back(Transition{TransitionKind::connect, i, server});
    }
}

void Ensemble::execute(const Transition& transition)
{
    switch (transition.kind) {
    case TransitionKind::connect:
        return connect(transition.session, transition.server);
    case TransitionKind::serve:
        return serve(transition.session);
    case TransitionKind::apply:
        return apply(transition.server);
    case TransitionKind::deliver:
        return deliver(transition.session);
    case TransitionKind::expire:
        return endSession(transition.session);
    }
}

void Ensemble::settle()
{
    std::vector<Transition> possible;
    for (;;) {
        m_clock.runReady();
        possible.clear();
        enabledTransitions(possible);
        std::erase_if(possible,
                      [](const Transition& transition) { return transition.kind == TransitionKind::expire; });
        if (possible.empty())
            return;
        execute(possible.front());
    }
}

// ---- connections ----

void Ensemble::connect(std::uint32_t session, std::uint32_t server)
{
    Record& record = m_sessions[session];
    // A server that has not applied what the session has already seen refuses the session.
    if (m_clock.now() < record.refusedUntil || m_trees[server].applied() < record.client->lastZxid()) {
        record.client->attemptFailed();
        return;
    }
    record.requests.clear(); // late requests of the old connection fail (session moved)
    record.waiting.reset();
    if (!record.alive && !record.client->id().valid()) {
        record.id = SessionId{kFirstSession + session};
        record.alive = true;
        append({.change = Change::sessionOpened, .session = record.id});
    }
    record.messages.push_back(
        {.kind = record.alive ? MessageKind::connected : MessageKind::expired, .session = record.id});
    if (!record.alive)
        return;
    record.server = server;
    record.linked = true;
    regainContact(session);
}

void Ensemble::deliver(std::uint32_t session)
{
    Record& record = m_sessions[session];
    ServerMessage message = std::move(record.messages.front());
    record.messages.pop_front();
    record.client->receive(std::move(message));
}

void Ensemble::send(std::uint32_t session, Request request)
{
    Record& record = m_sessions[session];
    if (record.linked)
        record.requests.push_back(std::move(request));
}

void Ensemble::detachClient(std::uint32_t session, bool orderly)
{
    Record& record = m_sessions[session];
    record.client = nullptr;
    record.messages.clear();
    if (!record.linked)
        return;
    if (orderly)
        record.requests.push_back({.op = OpCode::closeSession});
    else
        cut(session, record.requests.size(), 0);
}

bool Ensemble::inContact(std::uint32_t session) const
{
    return m_sessions[session].linked && !m_sessions[session].process->isPaused();
}

// Heartbeats are not simulated: while there is contact, the leader counts the session as active.
void Ensemble::loseContact(std::uint32_t session)
{
    Record& record = m_sessions[session];
    record.lastContact = m_clock.now();
    record.expiry = m_leaderTime.after(record.timeout, [&record] { record.expirable = true; });
}

void Ensemble::regainContact(std::uint32_t session)
{
    Record& record = m_sessions[session];
    if (!inContact(session))
        return;
    m_leaderTime.cancel(record.expiry);
    record.expirable = false;
}

void Ensemble::cut(std::uint32_t session, std::size_t requests, std::size_t messages)
{
    Record& record = m_sessions[session];
    if (!record.linked)
        return;
    if (inContact(session))
        loseContact(session);
    record.linked = false;
    ++record.breaks;
    record.requests.resize(std::min(requests, record.requests.size()));
    if (record.waiting)
        record.waiting->reply.id = 0;
    record.dataWatches.clear();
    record.childWatches.clear();
    if (!record.client)
        return;
    record.messages.resize(std::min(messages, record.messages.size()));
    record.messages.push_back({.kind = MessageKind::disconnected});
    const MonotonicTime since = record.process->isPaused() ? m_clock.now() : record.lastContact;
    record.process->after(since + silenceTimeout(record.timeout) - m_clock.now(),
                          [this, session, breaks = record.breaks] {
                              if (m_sessions[session].breaks == breaks)
                                  closeSilentConnection(session);
                          });
}

void Ensemble::closeSilentConnection(std::uint32_t session)
{
    Record& record = m_sessions[session];
    if (!record.client || record.linked || record.messages.empty() ||
        record.messages.back().kind != MessageKind::disconnected)
        return;
    ServerMessage last = std::move(record.messages.back());
    record.messages.clear();
    record.client->receive(std::move(last));
}

// ---- ends of sessions, transactions, faults ----

void Ensemble::endSession(std::uint32_t session)
{
    Record& record = m_sessions[session];
    if (!record.alive)
        return;
    record.alive = false;
    record.expirable = false;
    append({.change = Change::sessionClosed, .session = record.id});
    cut(session, 0, record.messages.size());
    record.requests.clear();
}

bool Ensemble::alive(SessionId session) const
{
    return std::any_of(m_sessions.begin(), m_sessions.end(),
                       [&](const Record& record) { return record.id == session && record.alive; });
}

void Ensemble::append(Transaction transaction)
{
    transaction.zxid = m_log.empty() ? Zxid{kFirstZxid} : Zxid{m_log.back().zxid.value + 1};
    if (transaction.change == Change::sessionClosed)
        transaction.gone = m_head.ephemeralsOf(transaction.session);
    m_head.apply(transaction);
    m_log.push_back(std::move(transaction));
}

const Transaction* Ensemble::nextOf(std::uint32_t server) const
{
    const std::int64_t next = std::max(m_trees[server].applied().value + 1, kFirstZxid) - kFirstZxid;
    return static_cast<std::size_t>(next) < m_log.size() ? &m_log[static_cast<std::size_t>(next)] : nullptr;
}

void Ensemble::apply(std::uint32_t server)
{
    Tree& tree = m_trees[server];
    const Transaction& transaction = *nextOf(server);
    tree.apply(transaction);
    const Zxid zxid = transaction.zxid;
    switch (transaction.change) {
    case Change::created:
        fire(server, transaction.path, WatchKind::created, zxid);
        break;
    case Change::removed:
        fire(server, transaction.path, WatchKind::deleted, zxid);
        break;
    case Change::dataSet:
        fire(server, transaction.path, WatchKind::changed, zxid);
        break;
    case Change::sessionClosed:
        for (const std::string& path : transaction.gone)
            fire(server, path, WatchKind::deleted, zxid);
        break;
    default:
        break;
    }
    for (Record& record : m_sessions)
        if (record.waiting && record.server == server && record.waiting->until <= tree.applied()) {
            ServerMessage message = std::move(record.waiting->reply);
            record.waiting.reset();
            if (message.id != 0)
                reply(record, std::move(message));
        }
}

// Fires in the order of DataTree: data watches of the node, child watches of the node, child watches of its
// parent.
void Ensemble::fire(std::uint32_t server, const std::string& path, WatchKind kind, Zxid zxid)
{
    const std::string parent(parentOf(path));
    for (Record& record : m_sessions) {
        if (!record.linked || record.server != server)
            continue;
        ServerMessage event{.kind = MessageKind::event, .zxid = zxid, .path = path, .watch = kind};
        const bool ofData = removeIfPresent(record.dataWatches, path);
        const bool ofChildren = kind == WatchKind::deleted && removeIfPresent(record.childWatches, path);
        if ((ofData || ofChildren) && record.client)
            record.messages.push_back(event);
        if (kind == WatchKind::changed || !removeIfPresent(record.childWatches, parent) || !record.client)
            continue;
        event.path = parent;
        event.watch = WatchKind::childrenChanged;
        record.messages.push_back(std::move(event));
    }
}

void Ensemble::refuse(std::uint32_t session, Duration span)
{
    m_sessions[session].refusedUntil = m_clock.now() + span;
}

void Ensemble::refuseRequests(std::uint32_t session, std::optional<OpCode> kind, Code code, std::size_t count)
{
    Record& record = m_sessions[session];
    record.refusedKind = kind;
    record.refusal = code;
    record.refusals = count;
}

void Ensemble::kill(std::uint32_t session) { endSession(session); }

void Ensemble::pause(VirtualScheduler& process)
{
    for (std::uint32_t i = 0; i < sessionCount(); ++i)
        if (m_sessions[i].process == &process && inContact(i))
            loseContact(i);
    process.pause();
}

void Ensemble::resume(VirtualScheduler& process)
{
    process.resume();
    for (std::uint32_t i = 0; i < sessionCount(); ++i)
        if (m_sessions[i].process == &process)
            regainContact(i);
}

bool Ensemble::remove(const std::string& path)
{
    const Znode* node = m_head.find(path);
    if (!node || !node->children.empty() || path == "/")
        return false;
    append({.change = Change::removed, .path = path});
    return true;
}

bool Ensemble::write(const std::string& path, const std::string& data)
{
    if (!m_head.find(path))
        return false;
    append({.change = Change::dataSet, .path = path, .data = data});
    return true;
}

bool Ensemble::reap(const std::string& path)
{
    const Znode* node = m_head.find(path);
    return node && node->container && node->creates != 0 && remove(path);
}

void Ensemble::skipSequenceNumbers(const std::string& path, std::int32_t count)
{
    if (m_head.find(path))
        append({.change = Change::sequenceNumbersSkipped, .path = path, .numbers = count});
}

// ---- the actual state ----

const ServerMessage* Ensemble::nextMessage(std::uint32_t session) const
{
    const Record& record = m_sessions[session];
    return record.messages.empty() ? nullptr : &record.messages.front();
}

std::vector<std::string> Ensemble::serverWatches() const
{
    std::vector<std::string> all;
    for (const Record& record : m_sessions) {
        all.insert(all.end(), record.dataWatches.begin(), record.dataWatches.end());
        all.insert(all.end(), record.childWatches.begin(), record.childWatches.end());
    }
    return all;
}

} // namespace lockscope::zk::memory
