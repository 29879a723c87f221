#include "ui/compare/compared_run.h"

#include "ui/models/style/format.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>

namespace lockscope::ui {

namespace {

constexpr std::size_t kEventsPerStopCheck = 4096;

// The watch of the releasing client on its own node does not count.
bool wakes(const trace::Event& event, const ComparedRun::Release& release)
{
    const auto* fired = std::get_if<trace::WatchFired>(&event.what);
    return fired && event.lock == release.lock && event.client != release.by &&
           (fired->kind == trace::WatchKind::deleted || fired->kind == trace::WatchKind::childrenChanged);
}

std::size_t sleepers(const replay::RunState& state, LockId lock)
{
    return static_cast<std::size_t>(
        std::count_if(state.clients.begin(), state.clients.end(), [&](const replay::ClientRow& client) {
            return client.lock == lock && client.asleep();
        }));
}

} // namespace

ComparedRun::ComparedRun(TextProvider label, std::shared_ptr<const trace::TraceStore> store,
                         std::size_t count, const std::stop_token& stop)
    : m_label(std::move(label))
    , m_brief(m_label)
    , m_store(std::move(store))
    , m_count(count)
    , m_cursor(std::make_unique<replay::TraceCursor>(m_store))
{
    for (std::size_t i = 0; i < count; ++i) {
        if (i % kEventsPerStopCheck == 0 && stop.stop_requested()) {
            return;
        }
        m_cursor->seek(i + 1);
        m_whole.noteTime(m_cursor->state());
    }
    m_whole.state = m_cursor->state();
    findReleases();
    std::copy_if(m_releases.begin(), m_releases.end(), std::back_inserter(m_herds),
                 [](const Release& release) { return release.woken > 1; });
    findTypical(stop);
}

QString ComparedRun::recipe() const
{
    return m_whole.state.locks.empty() ? QString() : format::plain(m_whole.state.locks.front().recipe, 40);
}

// A wake-up belongs to the last release of its lock before it.
void ComparedRun::findReleases()
{
    m_releaseOf.resize(handoffs());
    std::unordered_map<std::size_t, std::vector<std::size_t>> handoffsAt; // by the event of their release
    for (std::size_t i = 0; i < handoffs(); ++i) {
        handoffsAt[timeline().handoff(i).releaseEvent.value].push_back(i);
    }
    std::unordered_map<LockId, std::size_t> last;
    const auto begin = [&](LockId lock, ClientId by, std::size_t event) {
        const EventIndex index{static_cast<std::uint32_t>(event)};
        if (const auto before = last.find(lock);
            before != last.end() && m_releases[before->second].event == index) {
            return; // one writer's release lets several readers in
        }
        last[lock] = m_releases.size();
        m_releases.push_back({lock, by, index, m_store->at(event).at});
    };
    for (std::size_t i = 0; i < m_count; ++i) {
        const trace::Event& event = m_store->at(i);
        if (const auto handed = handoffsAt.find(i); handed != handoffsAt.end()) {
            for (const std::size_t handoff : handed->second) { // several where a session held several locks
                begin(timeline().handoff(handoff).lock, timeline().handoff(handoff).from, i);
                m_releaseOf[handoff] = last[timeline().handoff(handoff).lock];
            }
        } else if (const auto* called = std::get_if<trace::ReleaseCalled>(&event.what);
                   called && called->depth <= 1) {
            begin(event.lock, event.client, i);
        }
        const auto found = last.find(event.lock);
        if (found == last.end()) {
            continue;
        }
        Release& release = m_releases[found->second];
        if (std::holds_alternative<trace::Acquired>(event.what)) {
            release.taken = std::min(release.taken, event.at);
        } else if (wakes(event, release)) {
            ++release.woken;
        }
    }
}

void ComparedRun::findTypical(const std::stop_token& stop)
{
    std::vector<std::size_t> asleep; // by release
    for (const Release& release : m_releases) {
        if (stop.stop_requested()) {
            return;
        }
        m_cursor->seek(release.event.value);
        asleep.push_back(sleepers(m_cursor->state(), release.lock));
    }
    std::size_t most = 0; // sleeping clients at a handoff
    for (const std::size_t release : m_releaseOf) {
        most = std::max(most, asleep[release]);
    }
    Duration least = kForever;
    const Duration middle = median();
    for (std::size_t i = 0; i < handoffs(); ++i) {
        const Duration away = std::chrono::abs(timeline().handoff(i).latency() - middle);
        if (10 * asleep[m_releaseOf[i]] >= 9 * most && away < least) {
            least = away;
            m_typical = i;
        }
    }
}

ChainMoment ComparedRun::moment(std::optional<std::size_t> index) const
{
    if (!index) {
        m_cursor->seek(m_count);
        return chainMoment(m_store, m_cursor->state(), LockId{0}, {});
    }
    const replay::Handoff& handoff = timeline().handoff(*index);
    const Release& release = m_releases[m_releaseOf[*index]];
    std::set<ClientId> woken;
    std::size_t left = release.woken; // watches that fired; one client may have had several
    for (std::size_t i = release.event.value; i < m_count && left > 0; ++i) {
        if (wakes(m_store->at(i), release)) {
            woken.insert(m_store->at(i).client);
            --left;
        }
    }
    m_cursor->seek(handoff.releaseEvent.value);
    return chainMoment(m_store, m_cursor->state(), handoff.lock, woken, handoff.to);
}

} // namespace lockscope::ui
