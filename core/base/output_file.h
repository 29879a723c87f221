// A file that a program writes for a person; the one place that decides what happens to its target.
// - A device, a FIFO and standard output ("-"; also /dev/stdout and /dev/fd/N) are written directly.
// - An existing file is replaced atomically by commit() and keeps its permissions. Until then the bytes are in a file
//   beside it, which is removed when commit() is not called or fails.
// - Symbolic links are followed: the link stays, its target is replaced. Other hard links keep the old content.
// Errors are those of the system calls. One thread at a time; blocks as write(2) does. SIGPIPE and SIGXFSZ must be
// ignored (core/base/standard_streams.h).
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
        bool growing = false;       // a file that is new has its own name from the start, for its readers
        bool waitForReader = false; // of a FIFO; otherwise one without a reader is an error
    };

    OutputFile() = default;
    ~OutputFile() { discard(); }
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    std::error_code open(const std::filesystem::path& path, Options options);
    std::error_code open(const std::filesystem::path& path) { return open(path, Options{}); }
    std::error_code write(std::string_view bytes); // all of them; after an error commit() fails with it too
    // Returns the number of bytes that were written, and the error that stopped it. It can be tried again.
    std::size_t writeSome(std::string_view bytes, std::error_code& error);
    // Removes so many bytes from the end; false for what is not a regular file.
    bool truncateBy(std::size_t bytes);
    std::error_code commit();
    void discard(); // removes what was written, unless it was committed
    // True when there was nothing before: what is written so far has its own name already.
    bool isNewAndGrowing() const { return m_fd.valid() && m_temporary.empty() && m_removable; }

private:
    std::error_code openBeside(const std::filesystem::path& target);
    std::error_code keepOwnerAndMode();

    UniqueFd m_fd;
    std::filesystem::path m_target;    // the file to be replaced; empty: written as it is
    std::filesystem::path m_temporary; // what replaces it
    bool m_removable = false;          // m_target was made by us and is not committed
    std::error_code m_failed;
};

// Why this path cannot be written, as far as that can be said without writing.
std::error_code checkOutput(const std::filesystem::path& path);
// Whether writing the one changes the other: one file by whatever names, one FIFO, one terminal. /dev/null is
// not.
bool isSameFile(const std::filesystem::path& one, const std::filesystem::path& other);
// The parts of an error message: the file's name, what the system says, and what to do.
struct OutputProblem
{
    Message file;
    Message reason;
    Message hint;
};
OutputProblem describeOutputProblem(const std::filesystem::path& path, std::error_code error);
// For the command line, which is English: "The report cannot be written to FILE: No space left on device.", with what
// to do. `what`: "The report cannot be written to".
Error outputError(std::string_view what, const std::filesystem::path& path, std::error_code error);

} // namespace lockscope
