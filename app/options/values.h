// What the options of both programs take: each value is checked where it is read, so that a mistake is
// reported with the option, what was found and what was expected. No Qt. Main thread.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::app {

// "found "X", expected ...", as CLI11 puts it behind the option's name.
std::string unexpected(const std::string& found, const std::string& expected);
// The same as a whole sentence, for what is found out only after the command line was read.
Error badOption(const std::string& option, const std::string& found, const std::string& expected);

// Checks for CLI::Option::check(): what is wrong, or an empty text.
std::string checkHosts(const std::string& text);          // HOST:PORT,...
std::string checkHostsAndChroot(const std::string& text); // HOST:PORT,...[/CHROOT]
std::string checkPath(const std::string& text);           // of a node
std::string checkMoment(const std::string& text);         // a time of a run, or "end"

// The moment that checkMoment() accepts; none for the end.
std::optional<Duration> momentFrom(const std::string& text);

// --zookeeper, which sets the variable LOCKSCOPE_ZOOKEEPER of this process.
CLI::Option* addZooKeeper(CLI::App& app);

enum class Zero { allowed, refused };
CLI::Option* addTime(CLI::App& app, const std::string& name, std::optional<Duration>& out,
                     const std::string& help, Zero zero = Zero::allowed);
CLI::Option* addNumber(CLI::App& app, const std::string& name, std::optional<std::int64_t>& out,
                       std::int64_t least, std::int64_t most, const std::string& help);
// May be repeated; each occurrence takes one value.
CLI::Option* addEach(CLI::App& app, const std::string& name, std::vector<std::string>& out,
                     const std::string& help);

// The options of a command as its page of help shows them: its arguments, its options, and those of each
// group.
struct OptionSection
{
    std::string title;
    std::vector<const CLI::Option*> options; // not empty
};
std::vector<OptionSection> sectionsOf(const CLI::App& command);
std::vector<const CLI::Option*> optionsOf(const CLI::App& command); // of all sections
CLI::App* addGroup(CLI::App& command, const std::string& title);

// A file that will be written, with the option that names it.
struct Output
{
    std::string option, path;
};
// Checks that no output replaces an input or another output. Empty paths count as none. Error: badUsage.
Result<void> checkOutputs(std::vector<Output> outputs, const std::vector<std::string>& read);
// What is wrong with the arguments, with the command's own options; the hint names its page of help.
Error usageError(const CLI::App& program, const CLI::ParseError& error);

} // namespace lockscope::app
