#include "app/lockscope_cli/verdict_command.h"

#include "core/base/standard_streams.h"

#include <fmt/core.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace lockscope::app {

namespace {

// As execvp() looks for it.
bool isProgram(const std::string& name)
{
    if (name.find('/') != std::string::npos)
        return ::access(name.c_str(), X_OK) == 0;
    const char* places = std::getenv("PATH");
    for (std::string_view rest = places ? places : "/bin:/usr/bin"; !rest.empty();) {
        const std::string_view place = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(rest.size(), place.size() + 1));
        if (::access(fmt::format("{}/{}", place.empty() ? "." : place, name).c_str(), X_OK) == 0)
            return true;
    }
    return false;
}

void sayOf(const std::string& program, const std::string& what)
{
    writeToStandardError("lockscope-cli: --on-verdict: " + program + " " + what + ".\n");
}

} // namespace

Result<std::unique_ptr<VerdictCommand>> VerdictCommand::create(std::vector<std::string> command)
{
    if (!isProgram(command.front()))
        return Error{ErrorCode::badUsage,
                     "--on-verdict: there is no program " + command.front() + " that can be executed.",
                     "Give a program and its arguments, separated by spaces. No shell is used."};
    return std::unique_ptr<VerdictCommand>(new VerdictCommand(std::move(command)));
}

void VerdictCommand::start(std::string verdict)
{
    auto run = std::make_unique<Run>();
    run->begun = MonotonicClock::now();
    const auto ended = [this, over = &run->over](int status) {
        *over = true;
        if (WIFSIGNALED(status))
            sayOf(m_command.front(), fmt::format("was ended by signal {}", WTERMSIG(status)));
        else if (WEXITSTATUS(status) != 0)
            sayOf(m_command.front(), fmt::format("has ended with {}", WEXITSTATUS(status)));
    };
    server::ChildProgram::Options options;
    options.command = m_command;
    options.input = std::move(verdict);
    auto program = server::ChildProgram::start(
        m_io, options, {[](const std::string& line) { writeToStandardError(line + "\n"); }, ended});
    if (!program) {
        writeToStandardError("lockscope-cli: --on-verdict: " + program.error().text() + "\n");
        return;
    }
    run->program = std::move(*program);
    m_runs.push_back(std::move(run));
}

void VerdictCommand::turn()
{
    m_io.restart();
    m_io.poll();
    std::erase_if(m_runs, [](const std::unique_ptr<Run>& run) { return run->over; });
    for (const std::unique_ptr<Run>& run : m_runs)
        if (MonotonicClock::now() - run->begun > kLongest)
            run->program->signal(SIGKILL);
    for (; !m_waiting.empty() && m_runs.size() < kMostAtOnce; m_waiting.pop_front())
        start(std::move(m_waiting.front()));
}

void VerdictCommand::finish(const std::function<bool()>& isCut)
{
    for (turn(); !m_runs.empty() && !isCut(); turn())
        m_io.run_one_for(std::chrono::milliseconds(50));
}

} // namespace lockscope::app
