// The parent's end of the supervisor, a small process that makes the private directory, runs Java in it, and
// removes both when its socket to us closes, however we ended. SupervisorProtocol defines its lines. A reply
// after its request has timed out still updates the state of the child. A line that breaks the protocol ends
// the supervisor. One thread at a time. Only spawn(), await(), waitForChildEnd() and the destructor block.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"
#include "core/base/unique_fd.h"
#include "core/base/unique_function.h"
#include "core/server/process/supervisor_protocol.h"

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
    using Done = SupervisorProtocol::Done;

    struct Options
    {
        std::filesystem::path baseDir; // the private directory is made in here
        bool keepData = false;         // keep the directory at the end
        std::vector<std::string>
            command; // what `start` runs, with the private directory as working directory
        Duration replyLimit = std::chrono::seconds(10); // of a request, and of the end of the supervisor
        // Empty: lockscope-supervisor beside this program, or in ../libexec/lockscope from there.
        std::filesystem::path program{};
    };

    // Error: internal when there is no supervisor that can be executed, ioFailed when it cannot be started or
    // cannot make the directory.
    static Result<std::unique_ptr<SupervisorClient>> spawn(const Options& options);
    ~SupervisorClient(); // end(), and waits replyLimit + 2 s at most; calls no `done`

    SupervisorClient(const SupervisorClient&) = delete;
    SupervisorClient& operator=(const SupervisorClient&) = delete;

    const std::filesystem::path& directory() const { return m_directory; }
    pid_t supervisorId() const { return m_supervisor; }

    // Requests. Each returns at once; a later poll() calls `done`, which may make other requests but not
    // destroy this client. Errors: noServer, including when the supervisor is gone; timedOut when it does not
    // answer.
    void startChild(Done done);
    void killChild(Done done);    // SIGKILL; done when it has ended; no error if it had ended before
    void suspendChild(Done done); // done when it is stopped, also before; Error: noServer without a child
    void resumeChild(Done done);

    void poll();            // handles the supervisor's lines and times out old requests
    int descriptor() const; // readable when the supervisor has sent something; while connected()
    bool connected() const { return !m_protocol.loss(); }

    // Makes a request and polls until it is done, at most replyLimit for each request.
    Result<void> await(UniqueFunction<void(Done)> begin);
    // Waits until the child has ended (true) or the deadline has come (false).
    bool waitForChildEnd(MonotonicTime deadline);

    // As of the last poll():
    std::optional<pid_t> child() const { return m_protocol.child(); } // while it runs
    bool childIsSuspended() const { return m_protocol.childIsSuspended(); }

    void end(); // begins the end of the child, the directory and the supervisor; does not wait

private:
    using Word = SupervisorProtocol::Word;

    SupervisorClient(pid_t supervisor, UniqueFd socket, const Options& options);
    Result<void> readDirectory(const std::filesystem::path& baseDir);
    void request(Word word, Done done);
    void readAvailable();
    void lose(Error why);
    void endIfLost();
    void noteChild();

    pid_t m_supervisor;
    UniqueFd m_socket;
    bool m_keepData;
    Duration m_replyLimit;
    bool m_ended = false; // the supervisor has closed its end; its last lines are in m_protocol
    bool m_killed = false;
    SupervisorProtocol m_protocol;
    std::filesystem::path m_directory;
    pid_t m_notedChild = 0; // the last one
    UniqueFd m_childEnd;    // readable when that one has ended
};

} // namespace lockscope::server
