// Which lanes the timeline shows, and in which row each is. The ones that a filter leaves out or that were folded by
// hand share one row below the others: what they do is condensed there, not hidden. Pure but for the filter's queries.
#pragma once

#include "core/replay/timeline/timeline.h"
#include "ui/timeline/lane_names.h"

#include <QString>

#include <set>
#include <vector>

namespace lockscope::ui {

struct LaneFilter
{
    enum class State { any, waits, holds, trouble /* suspended, frozen or stale */ };
    State state = State::any;       // in the stretch that is shown
    QString name{};                 // what a lane's name must contain
    LockId lock = LockId::none();   // only lanes that wait for or hold this lock in the stretch that is shown
    std::set<ClientId> folded{};    // by hand

    bool matchesAll() const { return state == State::any && name.isEmpty() && !lock.valid() && folded.empty(); }
    bool dependsOnTime() const { return state != State::any || lock.valid(); } // depends on what is shown
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

    int count() const { return static_cast<int>(m_shown.size()) + (m_folded.empty() ? 0 : 1); }
    const std::vector<ClientId>& shown() const { return m_shown; } // from top to bottom
    const std::vector<ClientId>& folded() const { return m_folded; }
    ClientId at(int row) const; // none for the row of those that are folded, and where no row is
    bool isFolded(int row) const { return !m_folded.empty() && row == static_cast<int>(m_shown.size()); }
    int rowOf(ClientId lane) const; // that of the folded ones, if it is one; -1 when there is no such lane

private:
    std::vector<ClientId> m_shown, m_folded;
    std::vector<int> m_row; // by client
};

} // namespace lockscope::ui
