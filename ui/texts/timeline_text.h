// All texts of the timeline: caption, tool tips, labels of marks and overlays. Plain text: callers must not
// let it be interpreted as rich text. Pure; any thread.
#pragma once

#include "core/replay/timeline/timeline.h"
#include "ui/models/run/bookmarks.h"
#include "ui/models/run/lane_names.h"
#include "ui/models/run/timeline_measure.h"

#include <QCoreApplication>

#include <array>
#include <vector>

namespace lockscope::ui {

class RunModel;

// A moment of a handoff that is in the trace.
struct HandoffMoment
{
    QString name;
    TraceTime at{};
    QString time; // the time of the first one; of the others, the time since the previous one: "+0.130 ms"
};

// How far a time may be wrong, because the clocks of a merged run are known so well and no better.
struct ClockBound
{
    TraceTime within{};
    QString name, text; // "clock of host2", "± 0.212 ms"
};

// What the texts need: the events, the names of the lanes and the current time.
struct TimelineFacts
{
    const trace::TraceStore* store = nullptr;
    const LaneNames* names = nullptr;
    TraceTime now{};                            // the end of the run so far, and of unfinished spans
    const replay::Timeline* timeline = nullptr; // knows the pauses of the run; null: without them
};

class TimelineText
{
    Q_DECLARE_TR_FUNCTIONS(Texts)
public:
    // `help`: how to move with the mouse.
    static QString caption(TraceTime begin, Duration length, bool following, Duration handoffP50,
                           bool help = true);
    static QString cursor(TraceTime cursor, TraceTime end, bool live);

    // Release called, delete committed, event, list, acquired: those in the trace, in order. The first and
    // the last are always there.
    static std::vector<HandoffMoment> moments(const replay::Handoff& handoff);
    // `behind`: a simultaneous wait for another lock; its kind is none if there is no such wait.
    static QString spanTip(ClientId lane, const replay::Span& exact, const replay::Span& behind,
                           std::uint32_t merged, const TimelineFacts& facts);
    static QString markTip(const replay::Mark& mark, const LaneNames& names);

    static QString mark(const replay::Mark& mark, const LaneNames& names); // "killed eli's session"
    static QString outage();                                               // of the server
    static QString paused();                                               // of the run
    static QString pauseTip(const replay::Stretch& pause, TraceTime now);
    // Of a merged run: how far apart events of different traces must be to be in a certain order.
    static QString uncertainty(TraceTime certainAfter);
    static QString clocksTip(const MergedClocks& clocks); // empty: the run was not merged
    static QString traceTip(const MergedClocks& clocks, std::size_t trace);
    // Of a handoff between traces of a merged run: the clock of the one that released, of the other, and what
    // follows for the length of the handoff. Empty for another.
    static std::vector<ClockBound> clockBounds(const replay::Handoff& handoff, const TimelineFacts& facts);
    static QString laneTip(const LaneNames& names, ClientId lane); // with its trace
    static QString ended();                                        // of the run
    static QString contention(std::uint32_t most); // the label of the track of waiting clients
    // How many waited at this time, and for whom: a line for each lock.
    static QString contentionTip(TraceTime at, const TimelineFacts& facts);
    // "12 ms · 3 handoffs · 214 events", the handoff latencies, the holds and waits, and the longest holders.
    // Lines without data are omitted.
    static QStringList measuredLines(const MeasuredStretch& stretch, const StretchStatistics& statistics,
                                     const LaneNames& names);
    // With both ends and all holders.
    static QString measuredCopyText(const MeasuredStretch& stretch, const StretchStatistics& statistics,
                                    const LaneNames& names);
    static QString bookmarkTip(const Bookmark& note);
    // The node of an Acquired event; empty for another event.
    static QString nodeOf(const trace::TraceStore* store, EventIndex acquired);
    static QString folded(std::size_t lanes); // the label of their row
    // The label of a holder row: with several locks, the last part of the path.
    static QString holderRow(trace::Text lock, bool several);
    static QString moreHolderRows(const QString& row, int more); // "well +3"
    // For a bar of many short holds; from the longest variant to the shortest.
    static std::array<QString, 2> manyHolds(std::uint32_t holds);
    static QString holderRowTip(trace::Text lock, int more);
    static QString depth(std::uint16_t depth); // "×2"
    // The label of an overlay; from the longest variant to the shortest.
    static std::array<QString, 3> overlay(const replay::Span& span, const TimelineFacts& facts);
    static QString emptyText(const RunModel& run); // why there is nothing to see

private:
    static QString heldShare(const StretchShare& share, const MeasuredStretch& stretch,
                             const LaneNames& names);
    static QString staleReason(const replay::Span& span, const trace::TraceStore* store);
};

} // namespace lockscope::ui
