// A peer: a child process with clients of another lock library, driven by lines on its standard input and
// output (the words are in peers/README.md). Ended by its pid when this object goes; when this process dies
// first, the end of its input ends it. Leaves nothing behind. Thread: one at a time; each function says
// whether it waits.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::tests {

class PeerProcess
{
public:
    using Started = Result<std::unique_ptr<PeerProcess>>;
    // What to run for a client of this library against that server. Error: unsupported, naming the Debian
    // package that is missing.
    static Result<std::vector<std::string>> curatorCommand(const std::string& host);
    static Result<std::vector<std::string>> kazooCommand(const std::string& host, bool withPatterns = false);
    // Returns when it says that it is ready; blocks at most a minute.
    static Started start(const std::vector<std::string>& command);

    ~PeerProcess();
    PeerProcess(const PeerProcess&) = delete;
    PeerProcess& operator=(const PeerProcess&) = delete;

    int pid() const { return m_pid; }
    void killNow(); // SIGKILL, gone on return; its sessions stay until the server gives them up

    void writeLine(const std::string& line);
    // True when a line that begins so has come and has not been taken. Does not wait.
    bool has(std::string_view beginning);
    // Takes the first line that begins so. Does not wait.
    std::optional<std::string> take(std::string_view beginning);
    // Waits for such a line and takes it. Error: timedOut or internal (it ended, or said that something
    // failed), with its last words.
    Result<std::string> await(std::string_view beginning, Duration limit = std::chrono::seconds(60));
    // All lines that begin so and have come.
    std::vector<std::string> takeAll(std::string_view beginning);

    // Since its start, from the system: the most memory it ever had, and its threads now.
    long peakKilobytes() const;
    int threads() const;

private:
    PeerProcess() = default;
    void read(int waitMs);
    Error trouble(ErrorCode code, const std::string& message);

    int m_pid = -1;
    int m_socket = -1; // its input and its output
    int m_errors = -1; // a file without a name
    bool m_ended = false;
    std::string m_rest; // of a line that is not whole yet
    std::deque<std::string> m_lines;
};

} // namespace lockscope::tests
