// One of two compared runs: its releases, the clients that each woke, and the queue at each handoff. Created
// in any thread, then used by one thread at a time; moment() seeks.
#pragma once

#include "core/replay/compare/comparison.h"
#include "core/replay/fold/trace_cursor.h"
#include "core/replay/timeline/lock_holders.h"
#include "ui/compare/chain_moment.h"
#include "ui/models/style/retranslate.h"

#include <QString>

#include <algorithm>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace lockscope::ui {

class ComparedRun
{
public:
    // Uses the first `count` events of the store, all of which must be published. After a stop the run is
    // incomplete and only good to be destroyed.
    ComparedRun(TextProvider label, std::shared_ptr<const trace::TraceStore> store, std::size_t count,
                const std::stop_token& stop = {});

    QString label() const { return m_label(); }
    QString brief() const { return m_brief(); } // a short label, for column heads
    const TextProvider& naming() const { return m_label; }
    void setLabel(TextProvider label, TextProvider brief)
    {
        m_label = std::move(label);
        m_brief = std::move(brief);
    }
    const trace::TraceStore& store() const { return *m_store; }
    const replay::WholeRun& whole() const { return m_whole; }
    const replay::Timeline& timeline() const { return m_cursor->timeline(); }
    TraceTime begin() const { return m_whole.state.now - m_whole.took; }
    TraceTime end() const { return m_whole.state.now; }
    QString recipe() const; // of the first lock

    std::size_t handoffs() const { return timeline().handoffCount(); }
    std::uint32_t woken(std::size_t handoff) const { return m_releases[m_releaseOf[handoff]].woken; }
    // A hold that was released or lost; the next holder may be the same client.
    struct Release
    {
        LockId lock = LockId::none();
        ClientId by = ClientId::none();
        EventIndex event = EventIndex::none();
        TraceTime at{};
        TraceTime taken = kForever; // by the next holder
        std::uint32_t woken = 0;
    };
    const std::vector<Release>& releases() const { return m_releases; }
    const std::vector<Release>& herds() const
    {
        return m_herds;
    } // the releases that woke several clients, in order of time
    const replay::LockHolders& holders() const { return timeline().holders(); }
    Duration median() const { return m_whole.state.statistics.handoff.percentile(50); } // of the handoffs
    // Of the handoffs with nearly the longest queue, the one whose latency is closest to the median. None if
    // there is no handoff.
    std::optional<std::size_t> typicalHandoff() const { return m_typical; }
    // The queue just before this release, with the clients that it woke; without a handoff, the queue at the
    // end.
    ChainMoment moment(std::optional<std::size_t> handoff) const;

private:
    void findReleases();
    void findTypical(const std::stop_token& stop);

    TextProvider m_label, m_brief;
    std::shared_ptr<const trace::TraceStore> m_store;
    std::size_t m_count;
    replay::WholeRun m_whole;
    std::unique_ptr<replay::TraceCursor> m_cursor;
    std::vector<Release> m_releases;
    std::vector<Release> m_herds;
    std::vector<std::size_t> m_releaseOf; // by handoff
    std::optional<std::size_t> m_typical;
};

using ComparedRunPtr = std::shared_ptr<const ComparedRun>;

} // namespace lockscope::ui
