#include "core/explore/faults.h"

#include <fmt/core.h>

namespace lockscope::explore {

using namespace std::chrono_literals;

namespace {

// What a schedule suffers most from: anything, other people, the end of its container, or a server that has
// too much to do.
using Mixture = std::array<std::uint32_t, 8>;
constexpr std::initializer_list<Mixture> kMixtures{
    Mixture{12, 2, 4, 2, 2, 2, 4, 6}, Mixture{12, 2, 4, 2, 2, 2, 4, 6}, Mixture{4, 1, 1, 8, 6, 1, 2, 12},
    Mixture{4, 1, 1, 1, 1, 24, 1, 1}, Mixture{12, 1, 1, 1, 1, 1, 12, 8}};

} // namespace

Faults::Faults(Context context, Chooser& chooser, const Clients& clients, std::string lockPath)
    : m_context(context)
    , m_chooser(chooser)
    , m_clients(clients)
    , m_lockPath(std::move(lockPath))
    , m_time(context.clock)
    , m_weights(chooser.from(kMixtures))
    , m_left(chooser.below(9))
{}

void Faults::writeLog(const std::string& what)
{
    ++m_done;
    m_context.scheduleLog.writeLog(m_context.clock.now(), "FAULT  " + what);
}

void Faults::inject()
{
    --m_left;
    Client& client = *m_clients[m_chooser.below(m_clients.size())];
    const std::uint32_t session = client.session()->index();
    switch (static_cast<Kind>(m_chooser.weighted(m_weights))) {
    case Kind::cut:
        cut(client);
        return;
    case Kind::kill:
        if (!m_context.ensemble.alive(client.session()->id()))
            return;
        writeLog(fmt::format("session {} is ended by an administrator", session));
        m_context.ensemble.kill(session);
        return;
    case Kind::pause:
        pause(client);
        return;
    case Kind::remove:
        touchNode(true);
        return;
    case Kind::write:
        touchNode(false);
        return;
    case Kind::reap:
        if (m_context.ensemble.reap(m_lockPath))
            writeLog("the empty container is removed");
        return;
    case Kind::refuse:
        refuse(client, m_chooser.from<std::optional<OpCode>>({std::nullopt, OpCode::sync, OpCode::getData}));
        return;
    case Kind::loseReplies:
        loseReplies();
        return;
    }
}

void Faults::cut(Client& client)
{
    zk::memory::Ensemble& ensemble = m_context.ensemble;
    const std::uint32_t session = client.session()->index();
    if (!ensemble.isConnected(session))
        return;
    const bool repliesOnly = m_chooser.oneIn(3); // all is carried out, and nothing is heard of it
    const std::size_t requests = repliesOnly ? ensemble.requestsUnderWay(session)
                                             : m_chooser.below(ensemble.requestsUnderWay(session) + 1);
    const std::size_t messages = repliesOnly ? 0 : m_chooser.below(ensemble.messagesUnderWay(session) + 1);
    const Duration away = m_chooser.from<Duration>({0ms, 0ms, 0ms, 200ms, 5s, 12s});
    writeLog(fmt::format(
        "session {} loses its connection; {} of {} requests and {} of {} messages still arrive; "
        "away for {} ms",
        session, requests, ensemble.requestsUnderWay(session), messages, ensemble.messagesUnderWay(session),
        std::chrono::duration_cast<std::chrono::milliseconds>(away).count()));
    ensemble.refuse(session, away);
    ensemble.cut(session, requests, messages);
    if (m_chooser.oneIn(2))
        refuse(client, OpCode::sync); // whichever client sends it next
}

// The next few requests, or the next few of one kind.
void Faults::refuse(Client& client, std::optional<OpCode> kind)
{
    const std::uint32_t session = client.session()->index();
    const zk::Code code = kind == OpCode::sync
                              ? m_chooser.from({zk::Code::throttled, zk::Code::refused, zk::Code::noAuth})
                              : m_chooser.from({zk::Code::throttled, zk::Code::refused});
    const std::size_t count = 1 + m_chooser.below(3);
    writeLog(fmt::format("{} {} of session {} are refused: {}", count,
                         !kind                  ? "requests"
                         : kind == OpCode::sync ? "syncs"
                                                : "reads",
                         session, zk::describe(code).english()));
    m_context.ensemble.refuseRequests(session, kind, code, count);
}

// An administrator deletes a holder's node while the holder has no connection, or cannot ask for its node.
void Faults::loseReplies()
{
    const auto holders = m_context.checker().holders();
    if (holders.empty())
        return;
    const auto& [who, contender] = holders[m_chooser.below(holders.size())];
    const std::string path = m_context.checker().history().path() + "/" + contender->name;
    if (m_chooser.oneIn(2))
        cut(*m_clients[who.client]);
    else
        refuse(*m_clients[who.client], OpCode::getData);
    writeLog("an administrator deletes the holder's " + path);
    m_context.ensemble.remove(path);
}

void Faults::pause(Client& client)
{
    if (client.process().isPaused())
        return;
    const Duration span = m_chooser.from<Duration>({50ms, 3s, 11s, 30s});
    writeLog(fmt::format("the process of session {} stands still for {} ms", client.session()->index(),
                         std::chrono::duration_cast<std::chrono::milliseconds>(span).count()));
    m_context.ensemble.pause(client.process());
    m_time.after(span, [this, &client] {
        m_context.scheduleLog.writeLog(m_context.clock.now(), fmt::format("the process of session {} goes on",
                                                                          client.session()->index()));
        m_context.ensemble.resume(client.process());
    });
}

void Faults::touchNode(bool remove)
{
    const Queue& queue = m_context.checker().history().queue();
    if (queue.empty())
        return;
    const std::string path =
        m_context.checker().history().path() + "/" + queue[m_chooser.below(queue.size())]->name;
    writeLog((remove ? "an administrator deletes " : "an administrator writes into ") + path);
    if (remove)
        m_context.ensemble.remove(path);
    else
        m_context.ensemble.write(path, "a message");
}

} // namespace lockscope::explore
