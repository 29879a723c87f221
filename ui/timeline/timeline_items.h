// Describes the parts of a TimelinePicture to the pointer and to screen readers: exact spans, tool tips and
// named items. GUI thread.
#pragma once

#include "core/replay/timeline/lock_holders.h"
#include "ui/canvas/accessible_items.h"
#include "ui/texts/timeline_text.h"
#include "ui/timeline/timeline_hit.h"

#include <functional>

namespace lockscope::ui {

// The data behind the picture.
struct TimelineSource
{
    const replay::Timeline* timeline = nullptr;
    const replay::LockHolders* holders = nullptr;
    TimelineFacts facts{};
};

// A bar may stand for several spans, and be wider than its span: returns the one at this point, else the
// first.
replay::Span exactSpan(const TimelinePicture& picture, const replay::Timeline& timeline,
                       const TimelineBar& bar, QPoint at);
replay::LockHolders::Hold exactHold(const TimelinePicture& picture, const replay::LockHolders& holders,
                                    const TimelineHolder& holder, QPoint at);

// About a lane's name, a bar, an arrow, a mark or a holder: plain text. Empty for anything else.
QString timelineTip(const TimelinePicture& picture, const TimelineSource& source, const TimelineHit& hit,
                    QPoint at);

struct TimelineSelected
{
    ClientId client = ClientId::none();
    EventIndex event = EventIndex::none();
};
using TimelineActions = std::function<std::function<void()>(const TimelineHit&, QPoint)>; // null: no action

// The lanes, bars, handoffs and marks in view, lane by lane.
std::vector<AccessibleItem> timelineItems(const TimelinePicture& picture, const TimelineSource& source,
                                          const TimelineSelected& selected, const TimelineActions& actionOf);

} // namespace lockscope::ui
