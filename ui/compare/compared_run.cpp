#include "ui/compare/compared_run.h"

#include "ui/models/format.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

namespace lockscope::ui {

namespace {

bool wakesByAnEnd(const trace::WatchFired& fired)
{
    return fired.kind == trace::WatchKind::nodeDeleted || fired.kind == trace::WatchKind::childrenChanged;
}

std::size_t sleepers(const replay::RunState& state, LockId lock)
{
    return static_cast<std::size_t>(
        std::count_if(state.clients.begin(), state.clients.end(), [&](const replay::ClientRow& client) {
            return client.lock == lock && client.asleep();
        }));
}

} // namespace

ComparedRun::ComparedRun(Wording label, std::shared_ptr<const trace::TraceStore> store, std::size_t count)
    : m_label(std::move(label))
    , m_brief(m_label)
    , m_store(std::move(store))
    , m_count(count)
    , m_whole(replay::wholeRun(*m_store, count))
    , m_player(std::make_unique<replay::Player>(m_store))
{
    for (std::size_t i = 0; i < count; ++i) {
        m_timeline.apply(*m_store, i);
    }
    m_byRelease.resize(handoffs());
    std::iota(m_byRelease.begin(), m_byRelease.end(), std::size_t{0});
    std::sort(m_byRelease.begin(), m_byRelease.end(), [this](std::size_t a, std::size_t b) {
        return m_timeline.handoff(a).releaseEvent < m_timeline.handoff(b).releaseEvent;
    });
    countWakeUps(count);
    findTelling();
}

QString ComparedRun::recipe() const
{
    return m_whole.state.locks.empty() ? QString() : format::plain(m_whole.state.locks.front().recipe, 40);
}

// A wake-up belongs to the last release of its lock before it.
void ComparedRun::countWakeUps(std::size_t count)
{
    m_woken.assign(handoffs(), 0);
    std::unordered_map<LockId, std::size_t> current;
    std::size_t next = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (next < m_byRelease.size() && m_timeline.handoff(m_byRelease[next]).releaseEvent.value == i) {
            current[m_timeline.handoff(m_byRelease[next]).lock] = m_byRelease[next];
            ++next;
        }
        const trace::Event& event = m_store->at(i);
        const auto* fired = std::get_if<trace::WatchFired>(&event.what);
        if (!fired || !wakesByAnEnd(*fired)) {
            continue;
        }
        if (const auto handoff = current.find(event.lock); handoff != current.end()) {
            ++m_woken[handoff->second];
        }
    }
}

void ComparedRun::findTelling()
{
    std::size_t most = 0;
    for (const std::size_t index : m_byRelease) {
        const replay::Handoff& handoff = m_timeline.handoff(index);
        m_player->seek(handoff.releaseEvent.value);
        const std::size_t asleep = sleepers(m_player->state(), handoff.lock);
        if (!m_telling || asleep > most) {
            m_telling = index;
            most = asleep;
        }
    }
}

ChainMoment ComparedRun::moment(std::optional<std::size_t> index) const
{
    if (!index) {
        m_player->seek(m_count);
        return chainMoment(m_player->state(), LockId{0}, {});
    }
    const replay::Handoff& handoff = m_timeline.handoff(*index);
    const auto place = std::find(m_byRelease.begin(), m_byRelease.end(), *index);
    auto until = m_count;
    for (auto next = std::next(place); next != m_byRelease.end(); ++next) {
        if (m_timeline.handoff(*next).lock == handoff.lock) {
            until = m_timeline.handoff(*next).releaseEvent.value;
            break;
        }
    }
    std::set<ClientId> woken;
    for (std::size_t i = handoff.releaseEvent.value; i < until; ++i) {
        const trace::Event& event = m_store->at(i);
        const auto* fired = std::get_if<trace::WatchFired>(&event.what);
        if (fired && event.lock == handoff.lock && wakesByAnEnd(*fired)) {
            woken.insert(event.client);
        }
    }
    m_player->seek(handoff.releaseEvent.value);
    return chainMoment(m_player->state(), handoff.lock, woken, handoff.to);
}

} // namespace lockscope::ui
