// The timeline of a run: for every client a lane of spans, and the handoffs between them. Append-only: grows
// with the events and is independent of any cursor. Queries cost what is visible, not what happened.
// One thread; texts point into the TraceStore.
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/trace/store.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lockscope::replay {

enum class SpanKind : std::uint8_t {
    // In the order in which the worse one wins when several share a pixel.
    none,
    waiting,
    releasing /* called, not answered */,
    holding,
    suspended /* no contact with the server */,
    frozen,
    stale /* believed but lost */
};

struct Span
{
    TraceTime begin{};
    TraceTime end = kForever;       // kForever while it lasts
    SpanKind kind = SpanKind::none;
    std::uint16_t depth = 0;        // deepest reentrancy in a holding span
    std::uint32_t merged = 1;       // how many spans a condensed one stands for
    LockId lock = LockId::none();
    EventIndex beginEvent = EventIndex::none();
    EventIndex endEvent = EventIndex::none();
};

// A hold's deeper levels, drawn inside it: from the Reentered to the release of that level.
struct DepthSpan
{
    TraceTime begin{};
    TraceTime end = kForever;
    std::uint16_t depth = 2;
    EventIndex beginEvent = EventIndex::none();
};

struct Handoff
{
    LockId lock = LockId::none();
    ClientId from = ClientId::none();
    ClientId to = ClientId::none();
    TraceTime released{};           // ReleaseCalled (or SessionGone): where the arrow starts
    TraceTime requested{};          // delete sent; = released when not known
    TraceTime committed{};          // earliest proof that the node is gone (reply or watch event)
    TraceTime woken{};              // watch fired at the next holder; = acquired when it was never asleep
    TraceTime listed{};             // list sent; = woken with announced handoff
    TraceTime answered{};           // the list came back; = listed when there was none
    TraceTime acquired{};           // where the arrow ends
    EventIndex releaseEvent = EventIndex::none();
    EventIndex wokenEvent = EventIndex::none();
    EventIndex acquiredEvent = EventIndex::none();
    EventIndex requestEvent = EventIndex::none();  // none where the time is not known, or there was nothing
    EventIndex commitEvent = EventIndex::none();
    EventIndex listEvent = EventIndex::none();
    EventIndex answerEvent = EventIndex::none();
    bool paused = false;            // the run was paused during it: statistics leave it out
    std::uint32_t ended = 0;        // which end of a hold it follows: for wakeUps()
    Duration latency() const { return acquired - released; }
};

// Something that was done to the run: a fault, a server gone, a session killed.
struct Mark
{
    enum class Kind : std::uint8_t { command, sessionGone, serverDown, serverReady };
    TraceTime at{};
    EventIndex event;
    ClientId client = ClientId::none();
    Kind kind = Kind::command;
    trace::Text verb; // of a command, as the trace has it
    trace::Text name() const; // the verb, or "session_gone", "server_down", "server_ready"
};

// A stretch in which the server was known not to answer.
struct Outage
{
    TraceTime begin{};
    TraceTime end = kForever; // kForever while it lasts
};

class Timeline
{
public:
    Timeline();
    ~Timeline();
    Timeline(Timeline&&) noexcept;
    Timeline& operator=(Timeline&&) noexcept;

    void apply(const trace::TraceStore& store, std::size_t index);  // in order, each once
    TraceTime end() const;                                          // time of the last event
    std::size_t laneCount() const;                                  // = clients ever added
    // The ClientAdded events, in order: a client has another one when its name becomes known later.
    const std::vector<EventIndex>& clientsAdded() const;

    // Spans of a lane that touch [begin, end), in order, condensed so that none is narrower than `resolution`
    // (a pixel's duration): spans that share a step become one, the worst kind wins. At most 2 per step.
    // Steps begin at multiples of `resolution`, so that a picture that scrolls keeps its blocks, and the interval is
    // widened to whole steps. A span of two steps or more keeps its exact ends, unless a block cuts it; one that
    // goes on ends at kForever: clip it, and skip it when it begins behind the picture's end.
    // Appends to `out`. O(steps * log spans).
    void spans(ClientId lane, TraceTime begin, TraceTime end, Duration resolution, std::vector<Span>& out) const;
    // Stale, suspended and frozen spans lie over the others: kept apart so that both can be drawn. Of several at once
    // the worst is kept. A stale span follows the holding one, which ends where it begins.
    void overlays(ClientId lane, TraceTime begin, TraceTime end, Duration resolution, std::vector<Span>& out) const;
    // Waits of a client that holds another lock meanwhile: spans() shows the hold, the worse of the two. In a circle
    // of waiting clients every one has such a span.
    void waitsDuringHold(ClientId lane, TraceTime begin, TraceTime end, Duration resolution, std::vector<Span>& out) const;
    // A hold ends where its last release is called; this is what follows, until the client knows that it is
    // done.
    void releases(ClientId lane, TraceTime begin, TraceTime end, Duration resolution,
                  std::vector<Span>& out) const;
    void depths(ClientId lane, TraceTime begin, TraceTime end, Duration resolution, std::vector<DepthSpan>& out) const;
    // Exactly what happened at a time, uncondensed; kind none when nothing.
    Span spanAt(ClientId lane, TraceTime at) const;
    Span overlayAt(ClientId lane, TraceTime at) const;
    Span waitDuringHoldAt(ClientId lane, TraceTime at) const;
    Span releaseAt(ClientId lane, TraceTime at) const;
    std::uint16_t depthAt(ClientId lane,
                          TraceTime at) const; // how often it holds then; 1 also when it does not

    // Handoffs acquired in [begin, end), thinned evenly to at most `most`. Appends to `out`.
    void handoffs(TraceTime begin, TraceTime end, std::size_t most, std::vector<Handoff>& out) const;
    std::size_t handoffCount() const;
    std::size_t handoffsBefore(TraceTime time) const; // acquired before it; = the index of the first that was not
    const Handoff& handoff(std::size_t index) const;
    // Of the handoff that this Acquired ended; empty when it ended none. O(log handoffs).
    std::optional<std::size_t> handoffAt(EventIndex acquired) const;
    // How many clients the end of its hold has woken so far: watches that fired because its node went.
    std::uint32_t wakeUps(const Handoff& handoff) const;
    void marks(TraceTime begin, TraceTime end, std::size_t most, std::vector<Mark>& out) const;
    // Outages that touch [begin, end), in order, the first `most` of them. Appends to `out`. O(most + log
    // outages).
    void outages(TraceTime begin, TraceTime end, std::size_t most, std::vector<Outage>& out) const;

    // Overview strip: for `steps` equal steps over [0, end()): the share [0,1] of each with a holder, and whether
    // a stale span touches it.
    struct Overview { float held = 0; float waiting = 0; bool stale = false; };
    std::vector<Overview> overview(std::size_t steps) const;

    std::size_t memoryBytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::replay
