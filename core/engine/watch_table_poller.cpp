#include "core/engine/watch_table_poller.h"

#include "core/base/host_port.h"
#include "core/server/probe/four_letter.h"

#include <optional>
#include <utility>

namespace lockscope::engine {

using namespace std::chrono_literals;

namespace {

constexpr Duration kReplyTimeout = 1s; // for one answer

} // namespace

// One request to every server, until each has answered or timed out.
struct WatchTablePoller::Round
{
    MonotonicTime asked{};
    std::size_t open = 0;
    std::uint32_t answered = 0;
    server::WatchTable table;
    std::size_t refused = 0;
    std::optional<Error> refusal;

    void take(Result<std::string> answer)
    {
        Result<server::WatchTable> read =
            answer ? server::parseWatchTable(*answer) : Result<server::WatchTable>(answer.error());
        if (read) {
            ++answered;
            for (auto& [path, sessions] : *read) {
                std::vector<SessionId>& all = table[path];
                all.insert(all.end(), sessions.begin(), sessions.end());
            }
        } else if (read.error().code == ErrorCode::unsupported ||
                   read.error().code == ErrorCode::limitExceeded) {
            ++refused;
            refusal = read.error();
        } // otherwise it is down, or went down while it answered, and may return
    }
};

WatchTablePoller::WatchTablePoller(Setup setup)
    : m_setup(std::move(setup))
    , m_servers(splitHosts(m_setup.servers))
    , m_seen(m_setup.locks.size())
{}

void WatchTablePoller::setPolling(bool on)
{
    const bool wasOn = std::exchange(m_on, on);
    if (m_stopped || (!m_on && !wasOn))
        return;
    if (!m_on)
        pollOnce();
    else if (!m_polling)
        beginRound();
}

void WatchTablePoller::pollOnce()
{
    if (m_stopped)
        return;
    if (m_roundOpen)
        m_readAgain = true;
    else
        beginRound();
}

// For every wchp, the server iterates over all its watches while it holds their lock.
Duration WatchTablePoller::pause() const
{
    std::size_t watches = 0;
    for (const Watches& each : m_seen)
        watches += each.size();
    if (!m_setup.own || watches > 300)
        return 2s;
    return watches > 50 ? 500ms : 250ms;
}

void WatchTablePoller::beginRound()
{
    m_polling = m_roundOpen = true;
    ++m_rounds;
    const auto round = std::make_shared<Round>();
    round->asked = m_setup.scheduler.now();
    round->open = m_servers.size();
    for (const std::string& server : m_servers)
        server::asyncFourLetterWord(m_setup.io, server, "wchp", kReplyTimeout,
                                    [weak = weak_from_this(), round](Result<std::string> answer) {
                                        round->take(std::move(answer));
                                        const auto self = weak.lock();
                                        if (--round->open == 0 && self)
                                            self->endRound(*round);
                                    });
}

void WatchTablePoller::endRound(const Round& round)
{
    m_polling = m_roundOpen = false;
    if (m_stopped)
        return;
    m_hasAnswered = m_hasAnswered || round.answered > 0;
    if (round.refused == m_servers.size() || (round.refusal && !m_hasAnswered))
        return refuse(*round.refusal);
    if (round.answered > 0)
        record(round.table, round);
    if (std::exchange(m_readAgain, false))
        return beginRound();
    if (!m_on)
        return;
    m_polling = true;
    m_setup.scheduler.after(pause(), [weak = weak_from_this(), rounds = m_rounds] {
        const auto self = weak.lock();
        if (!self || self->m_rounds != rounds)
            return;
        self->m_polling = false;
        if (self->m_on)
            self->setPolling(true);
    });
}

void WatchTablePoller::record(const server::WatchTable& table, const Round& round)
{
    trace::Recorder& recorder = m_setup.recorder;
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < m_seen.size(); ++i) {
        const auto& [lock, path] = m_setup.locks[i];
        const std::string folder = path + '/';
        Watches now;
        for (auto entry = table.lower_bound(folder); entry != table.end() && entry->first.starts_with(folder);
             ++entry) {
            const std::string name = entry->first.substr(folder.size());
            if (name.find('/') == std::string::npos)
                for (const SessionId session : entry->second)
                    now.emplace(name, recorder.named(session));
        }
        for (const auto& [node, session] : m_seen[i])
            if (!now.contains({node, session}))
                recorder.record(ClientId::none(), lock, trace::WatchVanished{node, session});
        for (const auto& [node, session] : now)
            if (!m_seen[i].contains({node, session}))
                recorder.record(ClientId::none(), lock, trace::WatchSeen{node, session});
        count += static_cast<std::uint32_t>(now.size());
        m_seen[i] = std::move(now);
    }
    recorder.record(trace::WatchesRead{m_setup.scheduler.now() - round.asked,
                                       count,
                                       round.answered,
                                       static_cast<std::uint32_t>(m_servers.size()),
                                       {}});
}

void WatchTablePoller::refuse(const Error& error)
{
    m_stopped = true;
    const Message why = error.code == ErrorCode::unsupported
                            ? message("This server does not show its watches: add wchp to "
                                      "4lw.commands.whitelist in its configuration.")
                            : error.all();
    m_setup.recorder.record(trace::WatchesRead{{}, 0, 0, static_cast<std::uint32_t>(m_servers.size()), why});
}

} // namespace lockscope::engine
