// How the workloads of two runs differ (clients, hold and think times, cycles), read from the scenarios in
// the headers of their traces. Measures that a different workload decides have no winner. Any thread after
// the translations are installed.
#pragma once

#include "ui/compare/compared_run.h"

#include <QStringList>

namespace lockscope::ui {

struct ComparedLoad
{
    replay::WorkloadMatch match{};
    QStringList differences{}; // "hold 0–100 ms against 2 ms"
    QString words{};           // "Not the same load: ..."; empty when they are the same
};

ComparedLoad compareWorkloads(const ComparedRun& a, const ComparedRun& b);

} // namespace lockscope::ui
