// The append-only store of a run's events. One thread appends (the engine, or the reader of a file); any
// thread reads what is published, without a lock: blocks never move, and an event never changes after count()
// covers it. Texts are copied into the store and live as long as the store.
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

// The first line of a trace file; constant once the first event is appended.
struct Header
{
    std::string scenario; // the name of the built-in scenario or of the file
    std::string title;    // for the user
    std::string
        scenarioToml; // the whole scenario, so that the run can be repeated from the trace; may be empty
    std::uint64_t seed = 0;
    std::int64_t wallNanoseconds = 0;               // time zero in ns since the Unix epoch
    std::int64_t monotonicNanoseconds = 0;          // time zero in ns of CLOCK_MONOTONIC
    SessionIds sessionIds = SessionIds::pseudonyms; // the kind of ids in the events
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
    // Copies every Text of the event into the store, publishes the event and returns its index. A client that
    // is added without a name is named by its number, so that it has the same name for every reader.
    EventIndex append(Event event);
    // Sets the header; only before the first append. An earlier header stays valid for its readers.
    void setHeader(Header header);
    // For events with real session ids, which may be shown but never written: files get these names instead.
    // Only before the first append.
    void setWrittenSessionNames(std::shared_ptr<const SessionNames> names) { m_written = std::move(names); }

    // ---- any thread ----
    // The returned header is constant and lives as long as the store. When the run begins, a header with the
    // times of the run replaces the first one.
    const Header& header() const { return *m_header.load(std::memory_order_acquire); }
    const SessionNames* writtenSessionNames() const
    {
        return m_written.get();
    } // null: ids are written unchanged
    // Number of published events. All at(i) with i < count() are valid and constant.
    std::size_t count() const { return m_published.load(std::memory_order_acquire); }
    const Event& at(std::size_t index) const
    {
        return m_blocks[index / kBlockEvents].load(std::memory_order_acquire)->events[index % kBlockEvents];
    }
    const Event& at(EventIndex index) const { return at(index.value); }

    // Bytes held (events and texts); an estimate while another thread appends.
    std::size_t memoryBytes() const { return m_bytes.load(std::memory_order_relaxed); }

private:
    struct Block
    {
        std::array<Event, kBlockEvents> events;
    };
    Text keep(Text text);

    std::vector<std::unique_ptr<const Header>>
        m_headers; // of the appending thread; the last one is published
    std::atomic<const Header*> m_header;
    std::shared_ptr<const SessionNames> m_written;
    std::unique_ptr<std::atomic<Block*>[]> m_blocks;
    std::atomic<std::size_t> m_published{0};
    std::atomic<std::size_t> m_bytes{0};
    std::vector<std::unique_ptr<char[]>> m_chunks; // of the appending thread; readers follow pointers only
    std::size_t m_chunkLeft = 0;
    char* m_chunkNext = nullptr;
    // The next few events usually repeat a name: the last names are found here instead of being copied again.
    std::array<Text, 256> m_recent{};
};

} // namespace lockscope::trace
