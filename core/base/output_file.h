// A file that a program writes for a person; the one place that decides what happens to its target.
// - A device, a FIFO and standard output ("-"; also /dev/stdout and /dev/fd/N) are written directly.
// - An existing file is replaced atomically by commit() and keeps its permissions. Until then the bytes are
// in a file
//   beside it, which is removed when commit() is not called or fails.
// - Symbolic links are followed: the link stays, its target is replaced. Other hard links keep the old
// content. Errors are those of the system calls. One thread at a time; blocks as write(2) does. SIGPIPE and
// SIGXFSZ must be ignored (core/base/standard_streams.h).
#pragma once

#include "core/base/error.h"
#include "core/base/unique_fd.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace lockscope {

inline constexpr const char* kStandardOutput = "-";

class OutputFile
{
public:
    struct Options
    {
        bool growing =
            false; // a new file has its final name from the start, so that it can be read as it grows
        bool waitForReader =
            false; // open() waits for the reader of a FIFO; otherwise a FIFO without one is an error
    };

    OutputFile() = default;
    ~OutputFile() { discard(); }
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    std::error_code open(const std::filesystem::path& path, Options options);
    std::error_code open(const std::filesystem::path& path) { return open(path, Options{}); }
    std::error_code
    write(std::string_view bytes); // writes all bytes; after an error commit() fails with it too
    // Returns the number of bytes written, and sets the error that stopped it. The caller may retry.
    std::size_t writeSome(std::string_view bytes, std::error_code& error);
    // Removes the last `bytes` bytes; false when the target is not a regular file.
    bool truncateBy(std::size_t bytes);
    std::error_code commit();
    void discard(); // removes what was written, unless it was committed
    // True when the file did not exist and Options::growing is set: the bytes written so far are under its
    // final name.
    bool isNewAndGrowing() const { return m_fd.valid() && m_temporary.empty() && m_removable; }

private:
    std::error_code openBeside(const std::filesystem::path& target);
    std::error_code keepOwnerAndMode();

    UniqueFd m_fd;
    std::filesystem::path m_target;    // the file to be replaced or created; empty for a descriptor or stream
    std::filesystem::path m_temporary; // what replaces it
    bool m_removable = false;          // this object created m_target and has not committed it
    std::error_code m_failed;
};

// The reason why this path cannot be written, as far as it can be determined without writing.
std::error_code checkOutput(const std::filesystem::path& path);
// Whether writing to one changes the other: both lead to the same file, FIFO or terminal. False for
// /dev/null.
bool isSameFile(const std::filesystem::path& one, const std::filesystem::path& other);
// The parts of an error message: the file's name, the reason given by the system, and what to do.
struct OutputProblem
{
    Message file;
    Message reason;
    Message hint;
};
OutputProblem describeOutputProblem(const std::filesystem::path& path, std::error_code error);
// For the command line, which is English: "The report cannot be written to FILE: No space left on device.",
// and a hint on what to do. `what`: "The report cannot be written to".
Error outputError(std::string_view what, const std::filesystem::path& path, std::error_code error);

} // namespace lockscope
