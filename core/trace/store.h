// The append-only store of a run's events. One thread appends (the engine, or the reader of a file); any
// thread reads what is published, without a lock: blocks never move, an event never changes after count()
// covers it. Texts are copied into the store and live as long as it.
#pragma once

#include "core/trace/event.h"
#include "core/trace/session_names.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::trace {

// The first line of a trace file; constant from the first event on.
struct Header
{
    std::string scenario;      // the built-in's or file's name
    std::string title;         // for a person
    std::string scenarioToml;  // the whole scenario, so that a trace says how to run it again; may be empty
    std::uint64_t seed = 0;
    std::int64_t wallNanoseconds = 0;      // time zero since the Unix epoch
    std::int64_t monotonicNanoseconds = 0; // time zero as CLOCK_MONOTONIC
    SessionIds sessionIds = SessionIds::pseudonyms; // what the events have
};

class TraceStore
{
public:
    static constexpr std::size_t kBlockEvents = 4096;
    static constexpr std::size_t kMaxBlocks = 65536; // 268 million events

    explicit TraceStore(Header header = {});
    ~TraceStore();
    TraceStore(const TraceStore&) = delete;
    TraceStore& operator=(const TraceStore&) = delete;

    // ---- the appending thread only ----
    // Copies every Text of the event into the store and publishes it. Returns its index. A client that is added
    // without a name gets its number for one, the same for every reader.
    EventIndex append(Event event);
    // Sets the header; only before the first append. Readers of the earlier one keep it.
    void setHeader(Header header);
    // The events have real session ids, to be shown and never to be written: files get these instead. Before the
    // first append.
    void setWrittenSessionNames(std::shared_ptr<const SessionNames> names) { m_written = std::move(names); }

    // ---- any thread ----
    // Constant, and valid as long as the store. The header with the times of the run replaces the first one when the
    // run begins.
    const Header& header() const { return *m_header.load(std::memory_order_acquire); }
    const SessionNames* writtenSessionNames() const { return m_written.get(); } // null: they are written as they are
    // Number of published events. All at(i) with i < count() are valid and constant.
    std::size_t count() const { return m_published.load(std::memory_order_acquire); }
    const Event& at(std::size_t index) const
    {
        return m_blocks[index / kBlockEvents].load(std::memory_order_acquire)->events[index % kBlockEvents];
    }
    const Event& at(EventIndex index) const { return at(index.value); }

    // Bytes held (events and texts); a moment's estimate when another thread appends.
    std::size_t memoryBytes() const { return m_bytes.load(std::memory_order_relaxed); }

private:
    struct Block
    {
        std::array<Event, kBlockEvents> events;
    };
    Text keep(Text text);

    std::vector<std::unique_ptr<const Header>> m_headers; // the appending thread's; the last one is published
    std::atomic<const Header*> m_header;
    std::shared_ptr<const SessionNames> m_written;
    std::unique_ptr<std::atomic<Block*>[]> m_blocks;
    std::atomic<std::size_t> m_published{0};
    std::atomic<std::size_t> m_bytes{0};
    std::vector<std::unique_ptr<char[]>> m_chunks; // the appending thread's; readers follow pointers only
    std::size_t m_chunkLeft = 0;
    char* m_chunkNext = nullptr;
    // A name is usually repeated by the next few events: the last ones are found again instead of copied.
    std::array<Text, 256> m_recent{};
};

} // namespace lockscope::trace
