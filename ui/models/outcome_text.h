// Outcomes, reasons and phases of events in words, translated. Pure.
#pragma once

#include <QString>

#include "core/trace/event.h"

namespace lockscope::ui {

QString words(trace::Outcome outcome);
QString words(trace::FailReason reason);
QString words(trace::LostReason reason);
QString words(trace::SessionPhase phase);

} // namespace lockscope::ui
