// The timeline of a run: a lane of spans for every client, and the handoffs between lanes. Append-only: grows
// with the events and is independent of any cursor. The cost of a query depends on what is visible, not on
// the run. One thread; texts point into the TraceStore.
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/replay/state/handoffs.h"
#include "core/replay/state/stretches.h"
#include "core/trace/store.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lockscope::replay {

struct Facts;
class LockHolders;
struct RunState;

enum class SpanKind : std::uint8_t {
    // From best to worst: if several spans share a pixel, the worst kind wins.
    none,
    waiting,
    releasing /* release called, not answered */,
    holding,
    suspended /* no contact with the server */,
    frozen,
    stale /* lost, but the client believes that it holds */
};

struct Span
{
    TraceTime begin{};
    TraceTime end = kForever; // kForever while it lasts
    SpanKind kind = SpanKind::none;
    std::uint16_t depth = 0;  // deepest reentrancy of a holding span
    std::uint32_t merged = 1; // how many spans a condensed span stands for
    LockId lock = LockId::none();
    EventIndex beginEvent = EventIndex::none();
    EventIndex endEvent = EventIndex::none();
};

// A deeper level of a hold, drawn inside it: from the Reentered to the release of that level.
struct DepthSpan
{
    TraceTime begin{};
    TraceTime end = kForever;
    std::uint16_t depth = 2;
    EventIndex beginEvent = EventIndex::none();
};

// An intervention or failure: a command, the end of a session, a server going down or becoming ready; or what
// the protected resource did with the use of a client that held no more.
struct Mark
{
    enum class Kind : std::uint8_t { command, sessionGone, serverDown, serverReady, refused, usedLate };
    TraceTime at{};
    EventIndex event;
    ClientId client = ClientId::none();
    Kind kind = Kind::command;
    trace::Text verb;         // of a command, as in the trace
    trace::Text name() const; // the verb, or "session_gone", "server_down", "resource_refused", ...
    bool isOfResource() const { return kind == Kind::refused || kind == Kind::usedLate; }
};

using Stretch = Stretches::Stretch;

// The rows of a lane.
enum class LaneRow : std::uint8_t {
    spans, // what the client does
    // Stale, suspended and frozen spans overlie the others and are kept separately so that both can be drawn.
    // Of several at once, only the worst is kept. The holding span ends where the stale span begins.
    overlays,
    // Waits of a client that holds another lock meanwhile; `spans` shows only the hold, the worse kind. In a
    // deadlock, every client that holds a lock has such a span.
    waitsDuringHold,
    // A holding span ends where its last release is called; these follow it, until the client knows that the
    // release is done.
    releases
};
inline constexpr std::size_t kLaneRows = 4;

class Timeline
{
public:
    Timeline();
    ~Timeline();
    Timeline(Timeline&&) noexcept;
    Timeline& operator=(Timeline&&) noexcept;

    // For each event in order, with the state after it and the facts that the fold found in it.
    void apply(const trace::TraceStore& store, std::size_t index, const RunState& state, const Facts& facts);
    TraceTime end() const;         // time of the last event
    std::size_t laneCount() const; // highest client id + 1
    // The ClientAdded events, in order. A client whose name becomes known later has another one.
    const std::vector<EventIndex>& clientsAdded() const;

    // The spans of this row of a lane that touch [begin, end), in order, condensed so that none is narrower
    // than `resolution` (a pixel's duration): short spans in the same step become one of the worst kind. At
    // most 2 per step. Steps begin at multiples of `resolution`, so that a scrolling picture keeps its
    // blocks, and the interval is widened to whole steps. A span of two steps or more keeps its exact ends,
    // unless a block cuts it; a span in progress ends at kForever. Callers must clip the spans, and skip
    // those that begin after the end of the picture. Appends to `out`. O(steps * log spans).
    void spans(ClientId lane, TraceTime begin, TraceTime end, Duration resolution, std::vector<Span>& out,
               LaneRow row = LaneRow::spans) const;
    void depths(ClientId lane, TraceTime begin, TraceTime end, Duration resolution,
                std::vector<DepthSpan>& out) const;
    // The exact span at a time, not condensed; of the kind none if there is no span.
    Span spanAt(ClientId lane, TraceTime at, LaneRow row = LaneRow::spans) const;
    std::uint16_t depthAt(ClientId lane,
                          TraceTime at) const; // the reentrancy depth; 1 even if the client does not hold

    const LockHolders& holders() const; // of each lock
    // The handoffs acquired in [begin, end), thinned evenly to at most `most`. Appends to `out`.
    void handoffs(TraceTime begin, TraceTime end, std::size_t most, std::vector<Handoff>& out) const;
    std::size_t handoffCount() const;
    std::size_t
    handoffsBefore(TraceTime time) const; // acquired before `time`; = index of the first later one
    const Handoff& handoff(std::size_t index) const;
    // The index of the handoff that this Acquired ended; none if it ended no handoff. O(log handoffs).
    std::optional<std::size_t> handoffAt(EventIndex acquired) const;
    // How many clients the end of the handoff's first hold has woken so far: watches that fired because its
    // node was deleted.
    std::uint32_t wakeUps(const Handoff& handoff) const;
    void marks(TraceTime begin, TraceTime end, std::size_t most, std::vector<Mark>& out) const;
    // The first `most` outages of the server, or pauses of the run, that touch [begin, end), in order.
    // Appends to `out`. O(most + log outages).
    void outages(TraceTime begin, TraceTime end, std::size_t most, std::vector<Stretch>& out) const;
    void pauses(TraceTime begin, TraceTime end, std::size_t most, std::vector<Stretch>& out) const;
    // The time between the two in which the run was not paused: the length of a wait or a hold. O(log
    // pauses).
    Duration running(TraceTime begin, TraceTime end) const;

    // Overview strip: for each of `steps` equal steps over [0, end()), the shares [0,1] of the step with a
    // holder and with a waiter, and whether a stale span touches it.
    struct Overview
    {
        float held = 0;
        float waiting = 0;
        bool stale = false;
    };
    std::vector<Overview> overview(std::size_t steps) const;

    std::size_t memoryBytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::replay
