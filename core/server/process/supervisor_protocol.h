// The parent's end of the supervisor's protocol, without its socket: requests become lines "NUMBER WORD", and
// the lines "NUMBER TEXT" answer them in order. What became of the child is said by other lines, unasked
// ("running PID", "stopped PID", "ended PID"), before the answer to the request that caused it; an answer
// itself changes no state. A line that breaks the protocol loses the supervisor: every request is then
// answered with the reason. One thread at a time; no call blocks.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"
#include "core/base/unique_function.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace lockscope::server {

class SupervisorProtocol
{
public:
    using Done = UniqueFunction<void(Result<void>)>;
    enum class Word { start, kill, suspend, resume };

    // Returns the line to send. `done` is called once, by handleLines() or expire(), and may make other
    // requests.
    std::string request(Word word, MonotonicTime deadline, Done done);

    void append(std::string_view bytes); // ignored after a loss
    bool isFull() const; // holds more than the longest line: handle the lines before more is appended
    // The next whole line. Loses the supervisor when there is none and isFull().
    std::optional<std::string> takeLine();
    void handleLines();
    void lose(Error why); // the first reason stays
    // Answers the requests whose deadline has come, or all after a loss.
    void expire(MonotonicTime now);

    const std::optional<Error>& loss() const { return m_loss; }
    std::optional<MonotonicTime> nextDeadline() const;     // of the first request that waits
    std::optional<pid_t> child() const { return m_child; } // while it runs
    bool childIsSuspended() const { return m_child && m_stopped; }

private:
    struct Request
    {
        std::uint64_t number;
        Word word;
        MonotonicTime deadline;
        Done done; // empty: timed out
    };

    void handle(const std::string& line);
    bool takeState(std::string_view line); // false: it says nothing of the child

    std::optional<Error> m_loss;
    std::string m_input;
    std::optional<pid_t> m_child;
    bool m_stopped = false;
    std::uint64_t m_lastNumber = 0;
    std::deque<Request> m_requests; // without a reply, oldest first
};

// The directory that the supervisor's first line names. It is removed in the end, so it must be a private one
// directly in `baseDir`. Errors: ioFailed with the supervisor's reason, noServer for another place.
Result<std::filesystem::path> privateDirectory(const std::string& line, const std::filesystem::path& baseDir);

// The end of the supervisor, as an error.
Error supervisorIsGone();
Error supervisorDoesNotAnswer();

} // namespace lockscope::server
