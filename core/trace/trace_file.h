// Trace files: JSON Lines, schema "lockscope-trace" version 1. Line 1 is the header, every other line one event,
// in order; an event's index is its line number minus 2. Times in nanoseconds, ids as numbers, zxids and session
// ids as hexadecimal strings. Session ids are pseudonyms, because a real one is as good as the session's password:
// the first 8 bytes of its HMAC-SHA-256 under a key of the run, in older files numbers from 0x1. A file that has the
// real ones says so in its first line: "session_ids":"real".
//   {"schema":"lockscope-trace","version":1,"scenario":"five-clients","title":"...","seed":1,
//    "time_zero":{"wall_ns":...,"monotonic_ns":...},"scenario_toml":"..."}
//   {"t":1234,"e":"acquired","client":0,"lock":0,"cause":17,"node":"_c_...-lock-0000000001","token":"0x1f3","owner":0}
// A field whose value is "none" (cause, client, lock, an id, an empty text, a false flag) is left out.
#pragma once

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/trace/store.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace lockscope::trace {

std::string headerLine(const Header& header);

// Writes a store's events to a file as they are published. One thread at a time; not the engine's.
// A failed write (a full disk) is reported once by pump() and keeps what was written whole up to the last
// complete line; later pump() calls try to go on from there. Whether all is written: written() ==
// store.count(). The target is treated as OutputFile says: a new file can be read while it grows, an old one
// is replaced by finish(). A FIFO without a reader is waited for.
class TraceWriter
{
public:
    static Result<std::unique_ptr<TraceWriter>> create(const std::filesystem::path& path, const TraceStore& store);
    ~TraceWriter(); // does not pump; without finish() nothing is left of what was written
    // Writes everything published since the last call and hands it to the kernel. Number of events written so
    // far.
    Result<std::size_t> pump();
    std::size_t written() const { return m_written; }
    // The last call, after the last pump(). What pump() could not write leaves an old file as it was, and a
    // new one as far as it came.
    Result<void> finish();

private:
    TraceWriter(std::filesystem::path path, const TraceStore& store);
    std::filesystem::path m_path;
    OutputFile m_file;
    const TraceStore& m_store;
    std::string m_pending;          // whole lines not yet accepted by the kernel
    std::size_t m_encoded = 0;      // events encoded into m_pending or written
    std::size_t m_written = 0;      // events whose line is whole in the file
    bool m_failed = false;          // the last pump() could not write: reported already
    Result<void> flush();
};

struct LoadedTrace
{
    std::shared_ptr<TraceStore> store;
    // Set when the file ends in mid-line: everything before it was read. A sentence for the person.
    Message truncation;
};

struct LoadProgress // any thread reads, the loader writes
{
    std::atomic<std::uint64_t> bytesRead{0};
    std::atomic<std::uint64_t> bytesTotal{0};
    std::atomic<bool> cancel{false};
};

// Errors name file:line:column, what was found and what was expected. badInput for a wrong file, ioFailed for
// one that cannot be read, cancelled on request. Blocks; any thread.
Result<LoadedTrace> loadTrace(const std::filesystem::path& path, LoadProgress* progress = nullptr);
// Whole-store save: what the window's "Save trace" does. The target is treated as OutputFile says.
Result<void> saveTrace(const std::filesystem::path& path, const TraceStore& store, std::size_t count);

} // namespace lockscope::trace
