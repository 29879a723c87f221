// Every sentence of the timeline: caption, tooltips, labels of marks and of what lies over a lane. Plain text
// throughout; whoever shows it must not let it be taken for rich text. Pure but for translation.
#pragma once

#include "core/replay/timeline/timeline.h"
#include "ui/models/bookmarks.h"
#include "ui/timeline/lane_names.h"
#include "ui/timeline/timeline_measure.h"

#include <QCoreApplication>

#include <array>
#include <vector>

namespace lockscope::ui {

// One leg of a handoff. The five legs follow each other and add up to Handoff::latency().
struct HandoffPart
{
    QString name;
    Duration length{};
};

// A moment of a handoff that the trace knows.
struct HandoffMoment
{
    QString name;
    TraceTime at{};
    QString time; // the first as a time, the others as their part, since the one before: "+0.130 ms"
};

// What the texts are about: where the events are, what lanes are called, and when "now" is.
struct TimelineFacts
{
    const trace::TraceStore* store = nullptr;
    const LaneNames* names = nullptr;
    TraceTime now{}; // end of the run so far: an unfinished span lasts until here
};

class TimelineText
{
    Q_DECLARE_TR_FUNCTIONS(TimelineText)
public:
    static QString caption(TraceTime begin, Duration length, bool following, Duration handoffP50);
    static QString cursor(TraceTime cursor, TraceTime end, bool live);

    static std::array<HandoffPart, 5> handoffParts(const replay::Handoff& handoff);
    // Release called, delete committed, event, list, acquired: those that took place, in order, the first and
    // the last always.
    static std::vector<HandoffMoment> moments(const replay::Handoff& handoff);
    static QString handoffTitle(const replay::Handoff& handoff, const LaneNames& names); // "ada → bo: 0.3 ms"
    static QString handoffTip(const replay::Handoff& handoff, const LaneNames& names);
    // `behind`: what it waits for meanwhile, kind none when nothing.
    static QString spanTip(ClientId lane, const replay::Span& exact, const replay::Span& behind,
                           std::uint32_t merged, const TimelineFacts& facts);
    static QString markTip(const replay::Mark& mark, const LaneNames& names);

    static QString mark(const replay::Mark& mark, const LaneNames& names); // "killed eli's session"
    static QString outage();                                               // of the server
    static QString measured(const MeasuredStretch& stretch);       // "12 ms · 3 handoffs · 214 events"
    // The same, its handoffs' latencies, and who held longest; what there is none of has no line.
    static QStringList measuredLines(const MeasuredStretch& stretch, const StretchStatistics& statistics,
                                     const LaneNames& names);
    // With its ends, and everybody who held.
    static QString measuredCopyText(const MeasuredStretch& stretch, const StretchStatistics& statistics,
                                  const LaneNames& names);
    static QString bookmarkTip(const Bookmark& note);
    // Of the node that an Acquired tells; empty when the event is none.
    static QString nodeOf(const trace::TraceStore* store, EventIndex acquired);
    static QString folded(std::size_t lanes); // the label of their row
    // Of a row that says who holds: with several locks, the last part of the path.
    static QString holderRow(trace::Text lock, bool several);
    static QString moreHolderRows(const QString& row, int more); // "well +3"
    // On a bar of many short holds, longest first; take the first that fits.
    static std::array<QString, 2> manyHolds(std::uint32_t holds);
    static QString holderRowTip(trace::Text lock, int more);
    static QString depth(std::uint16_t depth); // "×2"
    // What is written on or beside an overlay, longest first; take the first that fits.
    static std::array<QString, 3> overlay(const replay::Span& span, const TimelineFacts& facts);
    static QString emptyText(bool hasRun);

private:
    static QString heldShare(const HeldShare& share, const MeasuredStretch& stretch, const LaneNames& names);
    static QString kind(const replay::Span& span);
    static QString staleReason(const replay::Span& span, const trace::TraceStore* store);
};

} // namespace lockscope::ui
