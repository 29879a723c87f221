// How far apart the clocks of several traces are, as far as causes show it. A cause comes before its effect
// on whatever clock: a create was sent before its zxid existed, and a client that names this zxid or a later
// one learned of it after that; a delete was sent before any client learned that the node was gone. Each such
// pair bounds the difference of two clocks from one side, and all bounds together give for each clock the
// least and the greatest offset that contradicts none of them. Clocks are taken to run at the same rate.
// Pure; one thread.
//
// Zxids compare only within one ensemble. Two traces are of the same one if both name a node with the same
// zxid.
#pragma once

#include "core/trace/store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace lockscope::trace {

// Codes of the notices at the beginning of a merged run: the clock of a trace (its name, that of the
// reference, the shift in ns and how far it may be wrong), and how far apart two events of different traces
// must be to be in a certain order (ns).
inline constexpr Text kClockAligned = "clock_aligned", kClockCertain = "clock_certain";
// In the argument of a Command "gap", before the name of the trace that ends there.
inline constexpr Text kGapSource = "unknown source=";

// What one trace knows of causes and effects, in its own time.
class CausalPoints
{
public:
    struct Point
    {
        std::uint64_t key; // a zxid, or the hash of a node
        std::int64_t time;
    };
    // At most this many are kept; beyond, those of every second key, of every fourth ... The bounds stay true
    // and become wider.
    static constexpr std::size_t kMostPoints = 2'000'000;
    // The times of a transaction log are whole milliseconds: a transaction was made up to so much later.
    static constexpr TraceTime kLogTick = std::chrono::milliseconds(1);

    // `fromLog`: the trace was made of a transaction log, whose times are taken for those of one leader; its
    // events are given at the end of their millisecond.
    explicit CausalPoints(bool fromLog)
        : m_fromLog(fromLog)
    {}
    void add(const Event& event, std::uint64_t index); // in order
    void finish();                                     // sorts them; call once, after the last event
    bool isSample() const { return m_mask != 0; }

    const std::vector<Point>& sent() const { return m_sent; } // by zxid: when the create was sent, at most
    const std::vector<Point>& seen() const { return m_seen; } // by zxid: when it was learned of, at least
    const std::vector<Point>& ending() const
    {
        return m_ending;
    } // by node: when its delete was sent, at most
    const std::vector<Point>& ended() const
    {
        return m_ended;
    } // by node: when its end was learned of, at least
    // The same for the first write to the node's data. Not sure: another program may have written before.
    const std::vector<Point>& writing() const { return m_writing; }
    const std::vector<Point>& written() const { return m_written; }
    const std::vector<std::uint64_t>& nodes() const { return m_nodes; } // with their zxids

private:
    void path(LockId lock, std::string_view path);
    std::uint64_t keyOf(LockId lock, std::string_view node, std::uint64_t salt) const;
    void node(LockId lock, std::string_view name, Zxid zxid);
    void sent(Zxid zxid, TraceTime time);
    void seen(Zxid zxid, TraceTime time);
    void note(std::vector<Point>& to, LockId lock, std::string_view name, TraceTime time);
    void reply(const Event& event, const Reply& reply);
    void thin();

    bool m_fromLog;
    std::vector<std::uint64_t> m_paths; // hashes, by lock
    std::unordered_map<std::uint32_t, TraceTime>
        m_requests; // creates and deletes without a reply so far, by index
    std::vector<Point> m_sent, m_seen, m_ending, m_ended, m_writing, m_written;
    std::vector<std::uint64_t> m_nodes;
    std::uint64_t m_mask = 0; // keys whose hash has one of these bits are left out
    Zxid m_newestSeen{0};
};

struct AlignedClock
{
    // What is added to the times of this trace to get those of the first one: in the middle of what is
    // possible. None: the clock is not bounded on both sides.
    std::optional<TraceTime> offset{};
    TraceTime within{}; // the true offset is at most so far from `offset`
};

struct AlignedClocks
{
    std::vector<AlignedClock> clocks; // by trace; the first is the reference
    // Two events of different traces that are farther apart than this are in the order shown.
    TraceTime certainAfter{};
    struct Contradiction // no offset of these two meets all bounds
    {
        std::size_t one = 0, other = 0;
        TraceTime by{};
    };
    std::optional<Contradiction> contradiction{};
    std::vector<std::vector<bool>> related; // whether the traces name a node in common
};

// `sameClock`: pairs of traces that the same process wrote.
AlignedClocks alignClocks(const std::vector<CausalPoints>& traces,
                          const std::vector<std::pair<std::size_t, std::size_t>>& sameClock);

} // namespace lockscope::trace
