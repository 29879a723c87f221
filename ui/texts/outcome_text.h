// Outcomes, reasons and phases of events as translated text. Pure; any thread.
#pragma once

#include <QString>

#include "core/trace/event.h"

namespace lockscope::ui {

QString outcomeText(trace::Outcome outcome);
QString outcomeText(trace::FailReason reason);
QString outcomeText(trace::LostReason reason);
QString outcomeText(trace::SessionPhase phase);

} // namespace lockscope::ui
