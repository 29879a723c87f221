// Records on disk what is watched, for as long as it is watched: a ring of trace files ("ring-TIME.jsonl"),
// of which those that were recorded first are removed, and a file for each moment that was worth keeping
// ("save-TIME-WHY.jsonl"), which is never removed. Each file is a trace of its own, which begins with the
// nodes that there were. What pump() has written survives the end of this process, however it ends: whole
// lines are handed to the kernel. A file gets its name when it has its first lines.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"
#include "core/base/unique_fd.h"
#include "core/history/lock_event.h"
#include "core/trace/event.h"
#include "core/trace/session_names.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::field {

class FlightRecorder
{
public:
    static constexpr std::uint64_t kLeastBytes = 1u << 20;
    // Of the time before a saved moment, at most so many events are in its file.
    static constexpr std::size_t kMaxKept = 100'000;

    struct Options
    {
        std::filesystem::path folder{}; // is made if it is not there
        Duration keep = std::chrono::minutes(30);
        std::uint64_t keepBytes = 1u << 30; // of the ring; saved files take as much at most
        Duration before = std::chrono::minutes(5), after = std::chrono::minutes(2); // in a saved file
        std::string server{};                                                       // as shown in the traces
        trace::SessionIds sessionIds = trace::SessionIds::pseudonyms;
        std::shared_ptr<const trace::SessionNames> written{}; // null: ids are written unchanged
    };
    // Errors: badUsage when the folder has files of others, busy when another process records there, ioFailed
    // when it cannot be made or written.
    static Result<std::unique_ptr<FlightRecorder>> open(Options options);
    ~FlightRecorder();

    // ---- any thread; never block for long. As LockWatcher::listen() ----
    void noteEvent(const history::LockEvent& event);
    void noteApplied();
    void noteGap(std::int64_t fromMs, std::int64_t toMs);

    // ---- one thread, which may wait for the disk. Times are ms since the Unix epoch by the servers' clock.
    // `nowMs` is how far the state is known, so it stands still while there are no news
    // (Snapshot::knownMs()): no file tells of a later time, or of one before the first pump() ----
    // Writes what was noted; at least once a second. Error: the first one of this call; what could not be
    // written is tried again at the next.
    Result<void> pump(std::int64_t nowMs);
    // Begins a file with what was before and what comes after. `why`: for its title; `what`: for its name.
    // Returns its path. Errors: limitExceeded when the saved files take too much, or too many are being
    // written.
    Result<std::filesystem::path> save(const std::string& why, const std::string& what, std::int64_t nowMs);
    Result<void> finish(std::int64_t nowMs); // ends all files

private:
    // A LockEvent that owns its texts; or the end of a change; or a gap that is over.
    struct Item
    {
        enum class Kind : std::uint8_t { event, applied, gap };
        Kind kind{};
        history::LockEvent event; // of `gap`: the time of its end
        std::string lockPath, parent, name, data;
        std::int64_t gapFromMs = 0;
        history::LockEvent whole() const; // its texts are those of this
    };
    struct Live // a node that is there
    {
        Item item;
        std::uint64_t order = 0;
        bool entitled = false;
    };
    using Nodes = std::map<std::pair<std::uint32_t, std::string>, Live>;
    struct File;

    explicit FlightRecorder(Options options);
    void add(Item item);
    void apply(Nodes& nodes, const Item& item);
    static void feed(File& file, const Item& item);
    Result<std::unique_ptr<File>> begin(const std::string& name, std::string title, std::int64_t fromMs);
    static Result<void> end(File& file, std::int64_t nowMs);
    Result<void> turn(std::int64_t nowMs);
    void prune(std::int64_t nowMs);
    std::uint64_t savedBytes() const;

    const Options m_options;
    UniqueFd m_lock;
    std::mutex m_mutex;
    std::vector<Item> m_arrived;    // guarded by m_mutex
    Nodes m_before;                 // what was there before m_kept
    std::int64_t m_knownFromMs = 0; // m_before is the state of this time; 0: nothing is known yet
    std::deque<Item> m_kept;
    std::uint64_t m_order = 0;
    std::vector<std::filesystem::path> m_ringFiles; // in the order of their recording; the last is m_ring's
    std::unique_ptr<File> m_ring;
    Result<void> m_turned; // the last time that a file of the ring was begun
    std::int64_t m_turnedMs = 0;
    std::vector<std::unique_ptr<File>> m_saves; // that are being written
};

} // namespace lockscope::field
