// The parent's end of the supervisor: a small process that makes the private directory, runs Java in it, and
// takes both away when its socket to us closes, in whatever way we ended. Requests go down as "NUMBER WORD",
// one a line; each is answered by "NUMBER TEXT", in their order; "ended PID" comes by itself. A reply that
// comes after its request was given up still says what became of the child. What is not understood ends the
// supervisor. One thread at a time. Nothing blocks but spawn(), await(), waitForChildEnd() and the
// destructor.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"
#include "core/base/unique_fd.h"
#include "core/base/unique_function.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace lockscope::server {

class SupervisorClient
{
public:
    using Done = UniqueFunction<void(Result<void>)>;

    struct Options
    {
        std::filesystem::path baseDir; // the private directory is made in here
        bool keepData = false;         // leave the directory when it ends
        std::vector<std::string>
            command; // what `start` runs, with the private directory as working directory
        Duration replyLimit =
            std::chrono::seconds(10);    // a request that has no reply by then has failed; and for its end
        std::filesystem::path program{}; // empty: lockscope-supervisor beside this program
    };

    // Error: internal when the supervisor is not beside this program, ioFailed when it cannot be started or
    // cannot make the directory.
    static Result<std::unique_ptr<SupervisorClient>> spawn(const Options& options);
    ~SupervisorClient(); // end(), and waits for it, at most for about the reply limit; calls no `done`

    SupervisorClient(const SupervisorClient&) = delete;
    SupervisorClient& operator=(const SupervisorClient&) = delete;

    const std::filesystem::path& directory() const { return m_directory; }
    pid_t supervisorId() const { return m_supervisor; }

    // Requests. Each returns at once; a later poll() calls `done`, which may make other requests but not
    // destroy the link. Errors: noServer, also when the supervisor is gone; timedOut when it does not answer.
    void startChild(Done done);
    void killChild(Done done);    // SIGKILL, and it is gone when it is done; no error when it was gone before
    void suspendChild(Done done); // it stands still when it is done; Error: noServer when there is none
    void resumeChild(Done done);

    void poll();            // takes in what the supervisor has said, gives up what has waited too long
    int descriptor() const; // readable when the supervisor has said something; while connected()
    bool connected() const { return !m_lost; }

    // Begins a request and polls until it is done: at most the reply limit for each request that it takes.
    Result<void> await(UniqueFunction<void(Done)> begin);
    // Waits until the child has ended (true) or the deadline has come (false).
    bool waitForChildEnd(MonotonicTime deadline);

    // By the last poll():
    std::optional<pid_t> child() const { return m_child; } // while it runs
    bool childIsSuspended() const { return m_child && m_suspended; }

    void end(); // the child, the directory and the supervisor begin to go; for several at once

private:
    enum class Word { start, kill, suspend, resume };
    struct Request
    {
        std::uint64_t number;
        Word word;
        MonotonicTime deadline;
        Done done; // empty: it was given up
    };

    SupervisorClient(pid_t supervisor, UniqueFd socket, const Options& options);
    Result<void> readDirectory(const std::filesystem::path& baseDir);
    void request(Word word, Done done);
    std::optional<std::string> takeLine();
    void readAvailable();
    void handle(const std::string& line);
    Result<void> outcome(Word word, const std::string& text);
    void lose(Error why);
    void expireRequests();

    pid_t m_supervisor;
    UniqueFd m_socket;
    bool m_keepData;
    Duration m_replyLimit;
    bool m_ended = false; // the supervisor has closed its end; what it said before is in m_input
    bool m_lost = false;
    Error m_lossReason;
    std::string m_input;
    std::filesystem::path m_directory;
    std::optional<pid_t> m_child;
    bool m_suspended = false;
    std::uint64_t m_lastNumber = 0;
    std::deque<Request> m_requests; // without a reply, oldest first
};

} // namespace lockscope::server
