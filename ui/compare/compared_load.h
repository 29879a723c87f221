// In what the loads of two runs differ: how many clients, how long they hold and think, how often. It is read
// from the scenarios in the headers of their traces. What the load decides has no winner where it differs.
// Any thread after the translations are installed.
#pragma once

#include "ui/compare/compared_run.h"

#include <QStringList>

namespace lockscope::ui {

struct ComparedLoad
{
    replay::WorkloadMatch match{};
    QStringList differences{}; // "hold 0–100 ms against 2 ms"
    QString words{};           // "Not the same load: ..."; empty when it is the same
};

ComparedLoad compareWorkloads(const ComparedRun& a, const ComparedRun& b);

} // namespace lockscope::ui
