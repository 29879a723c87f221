// Chooses the lanes that a low timeline shows, and their rows: all lanes where each gets a row of its own,
// else the holders in the visible range, else several lanes to a row. A plain value, any thread.
#pragma once

#include "ui/compare/compared_run.h"

namespace lockscope::ui {

struct CompareLanes
{
    std::vector<ClientId> shown;
    std::size_t all = 0;
    int rows = 0;

    int rowOf(std::size_t place) const // of shown[place]
    {
        return static_cast<int>(place * static_cast<std::size_t>(rows) / shown.size());
    }
    bool shared() const { return static_cast<std::size_t>(rows) < shown.size(); }
    QString
    words() const; // "50 lanes", "14 of 1,000 lanes: the holders in this range", "1,000 lanes, 11 to a row"
};

// At most maxRows rows, at least one.
CompareLanes lanesOf(const ComparedRun& run, TraceTime begin, Duration length, int maxRows);


} // namespace lockscope::ui
