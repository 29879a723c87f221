// Runs a program of the user for each verdict that begins, with the verdict on its standard input. What it
// writes goes to our standard error. One thread.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"
#include "core/server/process/child_program.h"

#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::app {

class VerdictCommand
{
public:
    static constexpr Duration kLongest = std::chrono::seconds(60); // then it is killed
    static constexpr std::size_t kMostAtOnce = 8;                  // later ones wait for an end

    // `command`: not empty: the program as execvp() finds it, and its arguments. Error: badUsage when there
    // is none.
    static Result<std::unique_ptr<VerdictCommand>> create(std::vector<std::string> command);

    void add(std::string verdict) { m_waiting.push_back(std::move(verdict)); }
    void turn(); // starts what waits, and reports ends; several times a second
    // Waits until all have ended, or `isCut`, which is asked several times a second. What still runs is
    // killed by the destructor.
    void finish(const std::function<bool()>& isCut);

private:
    struct Run
    {
        std::unique_ptr<server::ChildProgram> program;
        MonotonicClock::time_point begun;
        bool over = false;
    };
    explicit VerdictCommand(std::vector<std::string> command)
        : m_command(std::move(command))
    {}
    void start(std::string verdict);

    const std::vector<std::string> m_command;
    boost::asio::io_context m_io{1};
    std::deque<std::string> m_waiting;
    std::vector<std::unique_ptr<Run>> m_runs;
};

} // namespace lockscope::app
