// The parent's end of the supervisor: a small process that makes the private directory, runs Java in it, and
// takes both away when its socket to us closes, in whatever way we ended. One word a line goes down, one line
// comes back for it; "ended PID ..." comes by itself. One thread at a time; blocks for at most a few seconds.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"
#include "core/base/unique_fd.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace lockscope::server {

class SupervisorLink
{
public:
    struct Options
    {
        std::filesystem::path baseDir; // the private directory is made in here
        bool keepData = false;         // leave the directory when it ends
        std::vector<std::string>
            command; // what `start` runs, with the private directory as working directory
    };

    // Error: internal when the supervisor is not beside this program, ioFailed when it cannot be started or
    // cannot make the directory.
    static Result<std::unique_ptr<SupervisorLink>> spawn(const Options& options);
    ~SupervisorLink(); // ends the child, the directory and the supervisor; waits for that, at most about 10 s

    SupervisorLink(const SupervisorLink&) = delete;
    SupervisorLink& operator=(const SupervisorLink&) = delete;

    const std::filesystem::path& directory() const { return m_directory; }
    pid_t supervisorId() const { return m_supervisor; }

    Result<void> startChild();   // Error: noServer when it cannot be executed
    Result<void> killChild();    // SIGKILL, and it is gone on return; no error when it was gone before
    Result<void> suspendChild(); // it stands still on return; Error: noServer when there is none
    Result<void> resumeChild();

    std::optional<pid_t> child(); // while it runs; never blocks
    // Waits until the child has ended (true) or the deadline has come (false).
    bool waitForChildEnd(MonotonicTime deadline);

private:
    SupervisorLink(pid_t supervisor, UniqueFd socket, bool keepData);
    Result<std::string> ask(const std::string& word);
    Result<std::string> nextLine(MonotonicTime deadline);
    bool fill(); // takes in what is there, without blocking; false at the end of the stream
    void takeEndedLines();
    void close();

    pid_t m_supervisor;
    UniqueFd m_socket;
    bool m_keepData;
    bool m_lost = false; // the supervisor is gone
    std::string m_input;
    std::filesystem::path m_directory;
    std::optional<pid_t> m_child;
};

} // namespace lockscope::server
