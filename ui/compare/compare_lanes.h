// Which lanes of a run a low timeline shows, in which row: all of them where each can be told from its
// neighbours; else those that hold in the time that is shown; else several to a row. A plain value, any
// thread.
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
    QString words() const; // "50 lanes", "14 of 1,000 lanes: who holds here", "1,000 lanes, 11 to a row"
};

// At most so many rows, at least one.
CompareLanes lanesOf(const ComparedRun& run, TraceTime begin, Duration length, int maxRows);

// Nice times for a tick line, about so many.
Duration tickStep(Duration length, int about);

} // namespace lockscope::ui
