// The logs of servers as a trace of its own, to be merged with those of the clients: a file in the folder for
// temporary files, gone with this object. One thread; blocks.
#pragma once

#include "core/trace/session_names.h"
#include "core/trace/trace_merger.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::history {

class LogTrace
{
public:
    struct Options
    {
        std::vector<std::filesystem::path> logs;               // as History::open() takes them
        std::shared_ptr<const trace::SessionNames> sessions{}; // as in the other traces; null: their real ids
        std::function<bool()> cancelled{};                     // asked while the logs are read
    };
    explicit LogTrace(Options options)
        : m_options(std::move(options))
    {}
    ~LogTrace();
    LogTrace(const LogTrace&) = delete;
    LogTrace& operator=(const LogTrace&) = delete;

    // With these locks (paths); for TraceMerger::create(). Errors: those of History::open(), ioFailed,
    // cancelled.
    Result<trace::TraceMerger::Input> make(const std::vector<std::string>& locks);
    const std::vector<Message>& problems() const { return m_problems; } // what could not be read
    bool isWhole() const { return m_isWhole; }                          // nothing is missing in the logs

private:
    Options m_options;
    std::string m_file;
    std::vector<Message> m_problems;
    bool m_isWhole = true;
};

} // namespace lockscope::history
