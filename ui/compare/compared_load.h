// In what the loads of two runs differ: how many clients, how long they hold and think, how often. It is read
// from the scenarios in the headers of their traces. What the load decides has no winner where it differs.
// Any thread after the translations are installed.
#pragma once

#include "ui/compare/compared_run.h"

#include <QStringList>

namespace lockscope::ui {

struct ComparedLoad
{
    bool known = true; // both headers have a scenario that can be read
    bool sameClients = true;
    QStringList differences; // "hold 0–100 ms against 2 ms"

    bool same() const { return known && differences.isEmpty(); }
    // Whether a difference between these loads may be all that this measure shows.
    bool decides(replay::Measure measure) const;
    QString words() const; // "Not the same load: ..."; empty when it is the same
};

ComparedLoad compareLoads(const ComparedRun& a, const ComparedRun& b);

// Without a winner and a ratio where the load decides.
replay::Comparison judged(replay::Comparison comparison, const ComparedLoad& load);

} // namespace lockscope::ui
