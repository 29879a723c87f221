// Trace files: JSON Lines, schema "lockscope-trace" version 1. Line 1 is the header; every other line is one
// event, in order; an event's index is its line number minus 2. Times are in nanoseconds, ids are numbers,
// zxids and session ids are hexadecimal strings. Session ids are pseudonyms, because a real id is as good as
// the session's password: the first 8 bytes of its HMAC-SHA-256 under a key of the run; in older files
// numbers from 0x1. A file with real ids has "session_ids":"real" in its first line.
//   {"schema":"lockscope-trace","version":1,"scenario":"five-clients","title":"...","seed":1,
//    "time_zero":{"wall_ns":...,"monotonic_ns":...},"scenario_toml":"..."}
//   {"t":1234,"e":"acquired","client":0,"lock":0,"cause":17,"node":"_c_...-lock-0000000001","token":"0x1f3","owner":0}
// A field without a value (cause, client, lock or another id that is none, an empty text, a false flag) is
// left out.
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
// pump() reports a failed write (a full disk) once; the file then ends with the last complete line, and later
// pump() calls try to continue from there. Everything is written when written() == store.count(). The target
// is treated as in OutputFile: a new file can be read while it grows; finish() replaces an old one. If the
// target is a FIFO without a reader, create() waits for a reader.
class TraceWriter
{
public:
    static Result<std::unique_ptr<TraceWriter>> create(const std::filesystem::path& path,
                                                       const TraceStore& store);
    ~TraceWriter(); // does not pump; without finish() the written file is removed
    // Writes everything published since the last call and passes it to the kernel. Returns the number of
    // events written so far.
    Result<std::size_t> pump();
    std::size_t written() const { return m_written; }
    // The last call, after the last pump(). If pump() could not write everything, an old file stays
    // unchanged, and a new file keeps the lines written so far.
    Result<void> finish();

private:
    TraceWriter(std::filesystem::path path, const TraceStore& store);
    std::filesystem::path m_path;
    OutputFile m_file;
    const TraceStore& m_store;
    std::string m_pending;     // whole lines not yet accepted by the kernel
    std::size_t m_encoded = 0; // events in m_pending or written
    std::size_t m_written = 0; // events whose complete line is in the file
    bool m_failed = false;     // the last pump() failed and reported it
    Result<void> flush();
};

struct LoadedTrace
{
    std::shared_ptr<TraceStore> store;
    // Set if the file ends in the middle of a line; everything before that line was read. A sentence for the
    // user.
    Message truncation;
};

struct LoadProgress // for any thread; the loader sets the counts and reads `cancel`
{
    std::atomic<std::uint64_t> bytesRead{0};
    std::atomic<std::uint64_t> bytesTotal{0};
    std::atomic<bool> cancel{false};
};

// Errors name file:line:column, what was found and what was expected: badInput for an invalid file, ioFailed
// for a file that cannot be read, cancelled on request. Blocks; any thread.
Result<LoadedTrace> loadTrace(const std::filesystem::path& path, LoadProgress* progress = nullptr);
// Saves the first `count` events at once, for "Save trace" in the window. The target is treated as in
// OutputFile.
Result<void> saveTrace(const std::filesystem::path& path, const TraceStore& store, std::size_t count);

} // namespace lockscope::trace
