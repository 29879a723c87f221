// A handoff and a client's spans as text, for the timeline, the protocol and the inspector. Pure; any thread.
#pragma once

#include "core/replay/timeline/timeline.h"
#include "ui/models/style/format.h"
#include "ui/models/style/tone.h"

#include <QLatin1String>
#include <QString>

#include <array>
#include <vector>

namespace lockscope::ui {

// A step on the way from the release to the next hold.
struct HandoffStep
{
    QLatin1String id; // "woken_ns": as the inspector copies it for programs
    QString name;
    Tone tone = Tone::plain;
    TraceTime at{};
    Duration length{}; // since the step before; the lengths of all steps add up to Handoff::latency()
    EventIndex event;  // none: nothing is known of this step, and it has no length
};

// All steps, in order; the last one is the acquisition.
std::array<HandoffStep, 6> handoffSteps(const replay::Handoff& handoff);
// The steps that are known.
std::vector<HandoffStep> knownHandoffSteps(const replay::Handoff& handoff);
format::Scale handoffScale(const std::vector<HandoffStep>& steps); // one unit for all lengths
QString handoffTitle(const replay::Handoff& handoff, const QString& from,
                     const QString& to); // "ada → bo: 0.3 ms"
QString handoffTip(const replay::Handoff& handoff, const QString& from, const QString& to);

QString spanLabel(const replay::Span& span);  // "holds ×3"; empty for none
QString spanPhrase(const replay::Span& span); // "frozen: reads and sends nothing"

} // namespace lockscope::ui
