// The files of a flight recorder's ring, by their names and in their order, and how they are read while they
// are written.
#pragma once

#include "core/base/error.h"
#include "core/trace/store.h"

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

namespace lockscope::trace {
class TraceStream;
}

namespace lockscope::field {

inline constexpr const char* kRecorderLock = ".lockscope-recorder"; // locked while a process records there
inline constexpr std::string_view kRing = "ring-", kTrace = ".jsonl";

// "ring-20261128T203015.123Z.jsonl" or "ring-20261128T203015.123Z-2.jsonl": the name that a recording gives.
// A copy under another name belongs to the user.
bool isRingFile(std::string_view name);
// In the order in which they were written last.
std::vector<std::filesystem::path> ringFilesIn(const std::filesystem::path& folder);

// Reads the newest file of a ring while it is written, and goes on to the next one. One thread; blocks as
// read(2) does.
class RingFollower
{
public:
    // Whether this is the newest file of a ring, and a process records there.
    static bool isWritten(const std::filesystem::path& file);
    // Reads what there is. Errors: those of trace::loadTrace().
    static Result<std::unique_ptr<RingFollower>> open(const std::filesystem::path& file);
    ~RingFollower();

    enum class State {
        waiting,
        newFile, // file() and store() are others now
        ended,   // nobody records any more
    };
    // Reads what was written since the last call.
    Result<State> read();
    const std::filesystem::path& file() const { return m_file; }
    const std::shared_ptr<trace::TraceStore>& store() const { return m_store; }

private:
    RingFollower();
    Result<void> begin(std::filesystem::path file);
    Result<void> readOn();

    std::filesystem::path m_file;
    bool m_hasNext = false; // the next file was there at the last read()
    std::unique_ptr<trace::TraceStream> m_stream;
    std::shared_ptr<trace::TraceStore> m_store;
};

} // namespace lockscope::field
