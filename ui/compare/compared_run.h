// One of two runs that are compared: gone through once, with all its handoffs, whom each woke, and the queue
// as it was when the lock was released. Made in any thread, then used by one at a time; moment() seeks.
#pragma once

#include "core/replay/comparison.h"
#include "core/replay/player.h"
#include "core/replay/timeline.h"
#include "ui/compare/chain_moment.h"
#include "ui/models/spoken.h"

#include <QString>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace lockscope::ui {

class ComparedRun
{
public:
    // The first `count` events of the store, all of which are published.
    ComparedRun(Wording label, std::shared_ptr<const trace::TraceStore> store, std::size_t count);

    QString label() const { return m_label(); }
    QString brief() const { return m_brief(); } // the same in a few words, for the heads of columns
    const Wording& naming() const { return m_label; }
    void setLabel(Wording label, Wording brief)
    {
        m_label = std::move(label);
        m_brief = std::move(brief);
    }
    const trace::TraceStore& store() const { return *m_store; }
    const replay::WholeRun& whole() const { return m_whole; }
    const replay::Timeline& timeline() const { return m_timeline; }
    TraceTime begin() const { return m_whole.state.now - m_whole.took; }
    TraceTime end() const { return m_whole.state.now; }
    QString recipe() const; // of the first lock

    std::size_t handoffs() const { return m_timeline.handoffCount(); }
    std::uint32_t woken(std::size_t handoff) const { return m_woken[handoff]; }
    bool wakesHerds() const
    {
        return std::any_of(m_woken.begin(), m_woken.end(), [](auto woken) { return woken > 1; });
    }
    // The first release for which as many slept as there ever did: the one that tells most. None without a
    // handoff.
    std::optional<std::size_t> tellingHandoff() const { return m_telling; }
    // The queue as it was just before this release, with those that it woke; without one, as it was at the
    // end.
    ChainMoment moment(std::optional<std::size_t> handoff) const;

private:
    void countWakeUps(std::size_t count);
    void findTelling();

    Wording m_label, m_brief;
    std::shared_ptr<const trace::TraceStore> m_store;
    std::size_t m_count;
    replay::WholeRun m_whole;
    replay::Timeline m_timeline;
    std::unique_ptr<replay::Player> m_player;
    std::vector<std::uint32_t> m_woken;   // by handoff
    std::vector<std::size_t> m_byRelease; // handoffs in the order of their releases
    std::optional<std::size_t> m_telling;
};

using ComparedRunPtr = std::shared_ptr<const ComparedRun>;

} // namespace lockscope::ui
