// The ensemble's sessions and connections. What its servers do with requests is in ensemble_serve.cpp.
#include "core/zk/memory/ensemble.h"

#include "core/zk/memory/memory_session.h"

#include <algorithm>
#include <utility>

namespace lockscope::zk::memory {

namespace {

// As the C client: a server that says nothing for two thirds of the timeout is given up.
Duration silenceTimeout(Duration timeout) { return timeout * 2 / 3; }

constexpr std::int64_t kFirstSession = 0x100000000000001;

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

// ---- moves ----

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

void Ensemble::make(const Transition& move)
{
    switch (move.kind) {
    case TransitionKind::connect:
        connect(move.session, move.server);
        return;
    case TransitionKind::serve:
        serve(move.session);
        return;
    case TransitionKind::apply:
        apply(move.server);
        return;
    case TransitionKind::deliver:
        deliver(move.session);
        return;
    case TransitionKind::expire:
        endSession(move.session);
        return;
    }
}

void Ensemble::settle()
{
    std::vector<Transition> possible;
    for (;;) {
        m_clock.runReady();
        possible.clear();
        enabledTransitions(possible);
        std::erase_if(possible, [](const Transition& move) { return move.kind == TransitionKind::expire; });
        if (possible.empty())
            return;
        make(possible.front());
    }
}

// ---- connections ----

void Ensemble::connect(std::uint32_t session, std::uint32_t server)
{
    Record& record = m_sessions[session];
    // A server that is behind what the session has seen does not take it.
    if (m_clock.now() < record.refusedUntil || m_trees[server].applied() < record.client->lastZxid()) {
        record.client->attemptFailed();
        return;
    }
    record.requests.clear(); // what comes late on the old connection is refused (session moved)
    record.waiting.reset();
    if (!record.alive && !record.client->id().valid()) {
        record.id = SessionId{kFirstSession + session};
        record.alive = true;
        Transaction opened;
        opened.change = Change::sessionOpened;
        opened.session = record.id;
        append(std::move(opened));
    }
    Message message;
    message.kind = record.alive ? MessageKind::connected : MessageKind::expired;
    message.session = record.id;
    record.messages.push_back(std::move(message));
    if (!record.alive)
        return;
    record.server = server;
    record.linked = true;
    regainContact(session);
}

void Ensemble::deliver(std::uint32_t session)
{
    Record& record = m_sessions[session];
    Message message = std::move(record.messages.front());
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
    if (orderly) {
        Request request;
        request.op = Op::closeSession;
        record.requests.push_back(std::move(request));
    } else {
        breakConnection(session, record.requests.size(), 0);
    }
}

bool Ensemble::inContact(std::uint32_t session) const
{
    return m_sessions[session].linked && !m_sessions[session].process->isPaused();
}

// Heartbeats are not simulated: while there is contact the leader hears of the session all the time.
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

void Ensemble::breakConnection(std::uint32_t session, std::size_t requests, std::size_t messages)
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
    Message message;
    message.kind = MessageKind::disconnected;
    record.messages.push_back(std::move(message));
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
    Message last = std::move(record.messages.back());
    record.messages.clear();
    record.client->receive(std::move(last));
}

// ---- the ends of sessions ----

void Ensemble::endSession(std::uint32_t session)
{
    Record& record = m_sessions[session];
    if (!record.alive)
        return;
    record.alive = false;
    record.expirable = false;
    Transaction closed;
    closed.change = Change::sessionClosed;
    closed.session = record.id;
    append(std::move(closed));
    breakConnection(session, 0, record.messages.size());
    record.requests.clear();
}

bool Ensemble::alive(SessionId session) const
{
    return std::any_of(m_sessions.begin(), m_sessions.end(),
                       [&](const Record& record) { return record.id == session && record.alive; });
}

} // namespace lockscope::zk::memory
