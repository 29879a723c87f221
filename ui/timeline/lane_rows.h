// The lanes that the timeline shows, and the row of each. Lanes that the filter excludes or that the user
// folded share one row below the others, where their spans are condensed. GUI thread.
#pragma once

#include "core/replay/timeline/timeline.h"
#include "ui/models/run/lane_names.h"

#include <QString>

#include <set>
#include <vector>

namespace lockscope::ui {

struct LaneFilter
{
    enum class State { any, waits, holds, trouble /* suspended, frozen or stale */ };
    State state = State::any;     // in the time range shown
    QString name{};               // a part of the lane's name; empty: any name
    LockId lock = LockId::none(); // only lanes that wait for or hold this lock in the time range shown
    std::set<ClientId> folded{};  // by the user
    std::set<ClientId> pinned{};  // by the user: at the top, whatever else is asked for

    bool matchesAll() const
    {
        return state == State::any && name.isEmpty() && !lock.valid() && folded.empty() && pinned.empty();
    }
    bool dependsOnTime() const { return state != State::any || lock.valid(); } // depends on the time range
    bool operator==(const LaneFilter&) const = default;
};

class LaneRows
{
public:
    LaneRows() = default;
    explicit LaneRows(std::size_t lanes); // all of them
    // `order`: every lane from top to bottom; empty: as they were added.
    LaneRows(const LaneFilter& filter, const replay::Timeline& timeline, const LaneNames& names,
             TraceTime begin, TraceTime end, const std::vector<ClientId>& order = {});

    int pinned() const { return m_pinned; } // the first ones
    int count() const { return static_cast<int>(m_shown.size()) + (m_folded.empty() ? 0 : 1); }
    const std::vector<ClientId>& shown() const { return m_shown; } // from top to bottom
    const std::vector<ClientId>& folded() const { return m_folded; }
    ClientId at(int row) const; // none(): the row of the folded lanes, or no row
    bool isFolded(int row) const { return !m_folded.empty() && row == static_cast<int>(m_shown.size()); }
    int rowOf(ClientId lane) const; // for a folded lane, the shared row; -1: there is no such lane

private:
    std::vector<ClientId> m_shown, m_folded;
    std::vector<int> m_row; // by client
    int m_pinned = 0;
};

} // namespace lockscope::ui
