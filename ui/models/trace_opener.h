// Folds a whole trace outside the GUI thread: the player with its keyframes, and the timeline, each in a
// thread of its own. Poll done(), then take both values. Destruction cancels and waits.
#pragma once

#include "core/replay/fold/player.h"
#include "core/replay/timeline/timeline.h"

#include <atomic>
#include <memory>
#include <thread>

namespace lockscope::ui {

class TraceOpener
{
public:
    // Folds the first `count` events, all of which are published.
    TraceOpener(std::shared_ptr<const trace::TraceStore> store, std::size_t count);

    std::size_t count() const { return m_count; }
    bool done() const { return m_finished.load() == 2; }
    double progress() const;
    // Once, after done().
    std::unique_ptr<replay::Player> takePlayer();
    replay::Timeline takeTimeline();

private:
    void foldPlayer(const std::stop_token& stop);
    void foldTimeline(const std::stop_token& stop);

    std::shared_ptr<const trace::TraceStore> m_store;
    std::size_t m_count;
    std::unique_ptr<replay::Player> m_player;
    replay::Timeline m_timeline;
    std::atomic<std::size_t> m_playerAt{0};
    std::atomic<std::size_t> m_timelineAt{0};
    std::atomic<int> m_finished{0};
    std::jthread m_playerThread; // last: joined before the members that they use are destroyed
    std::jthread m_timelineThread;
};

} // namespace lockscope::ui
