#include "core/engine/watch_table_poller.h"

#include "core/base/host_port.h"

#include <utility>

namespace lockscope::engine {

using namespace std::chrono_literals;

namespace {

constexpr Duration kReplyTimeout = 1s; // for one answer

} // namespace

WatchTablePoller::WatchTablePoller(Setup setup)
    : m_setup(std::move(setup))
    , m_words(m_setup.io, splitHosts(m_setup.servers), m_setup.security)
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
    const auto tables = std::make_shared<server::WatchTables>();
    m_words.ask(
        {"wchp"}, kReplyTimeout,
        [tables](const std::string&, const std::string&, const auto& answer) { tables->take(answer); },
        [weak = weak_from_this(), tables, begun = m_setup.scheduler.now()] {
            if (const auto self = weak.lock())
                self->endRound(begun, *tables);
        });
}

void WatchTablePoller::endRound(MonotonicTime begun, const server::WatchTables& tables)
{
    m_polling = m_roundOpen = false;
    if (m_stopped)
        return;
    m_hasAnswered = m_hasAnswered || tables.answered > 0;
    if (const auto refusal = m_words.refusal("wchp");
        refusal && (m_words.isRefused("wchp") || !m_hasAnswered))
        return refuse(*refusal);
    if (tables.answered > 0)
        record(begun, tables);
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

void WatchTablePoller::record(MonotonicTime begun, const server::WatchTables& tables)
{
    trace::Recorder& recorder = m_setup.recorder;
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < m_seen.size(); ++i) {
        const auto& [lock, path] = m_setup.locks[i];
        const std::string folder = path + '/';
        Watches now;
        for (auto entry = tables.watches.lower_bound(folder);
             entry != tables.watches.end() && entry->first.starts_with(folder); ++entry) {
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
    recorder.record(trace::WatchesRead{m_setup.scheduler.now() - begun,
                                       count,
                                       tables.answered,
                                       static_cast<std::uint32_t>(m_words.servers()),
                                       {}});
}

void WatchTablePoller::refuse(const Error& error)
{
    m_stopped = true;
    const Message why = error.code == ErrorCode::unsupported
                            ? message("This server does not show its watches: add wchp to "
                                      "4lw.commands.whitelist in its configuration.")
                            : error.all();
    m_setup.recorder.record(trace::WatchesRead{{}, 0, 0, static_cast<std::uint32_t>(m_words.servers()), why});
}

} // namespace lockscope::engine
