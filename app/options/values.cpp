#include "app/options/values.h"

#include "app/options/sasl_options.h"

#include "core/base/host_port.h"
#include "core/base/node_path.h"
#include "core/base/numbers.h"
#include "core/base/output_file.h"
#include "core/sim/scenario/work.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace lockscope::app {

namespace {

// The command whose options the arguments were read with, and its name with that of the program.
std::pair<const CLI::App*, std::string> chosen(const CLI::App& program)
{
    const auto commands = program.get_subcommands();
    return commands.empty() ? std::pair(&program, program.get_name())
                            : std::pair<const CLI::App*, std::string>(
                                  commands.front(), program.get_name() + " " + commands.front()->get_name());
}

std::string commandNames(const CLI::App& program)
{
    std::string names;
    for (const CLI::App* command :
         program.get_subcommands([](const CLI::App* one) { return !one->get_name().empty(); }))
        names += (names.empty() ? "" : ", ") + command->get_name();
    return names;
}

std::string listed(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : &name == &names.back() ? " and " : ", ") + name;
    return text;
}

// For an argument that the command does not take: what it takes.
std::string withoutEffect(const CLI::App& command, const std::string& argument)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : optionsOf(command))
        if (option != command.get_help_ptr())
            names.push_back(option->get_name());
    return argument + ": " + command.get_name() + " takes " +
           (names.empty() ? "nothing else." : listed(names) + ", and nothing else.");
}

// "--clients: 1 required N missing" and "--lock: At Most 1 required but received 2", in other words.
std::string wrongNumber(const CLI::App& command, const std::string& error)
{
    const std::string name = error.substr(0, error.find(':'));
    for (const CLI::Option* option : optionsOf(command))
        if (option->get_name() == name)
            return error.ends_with("missing") ? name + " needs a value: " + option->get_type_name() + "."
                                              : name + " is given more than once.";
    return error + ".";
}

} // namespace

std::string unexpected(const std::string& found, const std::string& expected)
{
    return "found \"" + found + "\", expected " + expected;
}

Error badOption(const std::string& option, const std::string& found, const std::string& expected)
{
    return Error{ErrorCode::badUsage, option + ": " + unexpected(found, expected) + ".", ""};
}

std::string checkHosts(const std::string& text)
{
    std::string list = text;
    takeTlsScheme(list);
    const std::vector<std::string> hosts = splitHosts(list);
    const bool all = !hosts.empty() && std::ranges::all_of(hosts, [](const std::string& host) {
        return parseHostPort(host).has_value();
    });
    return all ? "" : unexpected(text, "HOST:PORT or HOST:PORT,HOST:PORT,...");
}

std::string checkHostsAndChroot(const std::string& text)
{
    std::string hosts = text;
    takeTlsScheme(hosts);
    const std::size_t slash = hosts.find('/');
    const std::string chroot = slash == std::string::npos ? "" : hosts.substr(slash);
    const bool isPath = chroot.empty() || (chroot != "/" && isNodePath(chroot));
    return isPath ? checkHosts(hosts.substr(0, slash)) : unexpected(text, "HOST:PORT,...[/CHROOT]");
}

std::string checkPath(const std::string& text)
{
    const std::optional<Error> wrong = checkNodePath(text);
    return !wrong             ? ""
           : isNodePath(text) ? wrong->text() // what the server refuses in it, or its length
                              : unexpected(text, "a path that begins with / and does not end with /");
}

std::string checkMoment(const std::string& text)
{
    return text == "end" || sim::parseDuration(text)
               ? ""
               : unexpected(text, "a time such as 1.2s or 250ms, or end");
}

std::optional<Duration> momentFrom(const std::string& text)
{
    return text == "end" ? std::nullopt : sim::parseDuration(text);
}

CLI::Option* addTime(CLI::App& app, const std::string& name, std::optional<Duration>& out,
                     const std::string& help, Zero zero)
{
    const auto check = [zero](const std::string& text) -> std::string {
        const std::optional<Duration> time = sim::parseDuration(text);
        if (time == Duration{} && zero == Zero::refused)
            return unexpected(text, "a time longer than 0");
        return time ? "" : unexpected(text, "a time such as 250ms, 2s or 0");
    };
    return app
        .add_option_function<std::string>(
            name, [&out](const std::string& text) { out = sim::parseDuration(text); }, help)
        ->type_name("TIME")
        ->check(check);
}

CLI::Option* addNumber(CLI::App& app, const std::string& name, std::optional<std::int64_t>& out,
                       std::int64_t least, std::int64_t most, const std::string& help)
{
    const auto check = [least, most](const std::string& text) -> std::string {
        const auto number = parseWhole<std::int64_t>(text);
        return number && *number >= least && *number <= most
                   ? ""
                   : unexpected(text,
                                "a number from " + std::to_string(least) + " to " + std::to_string(most));
    };
    return app
        .add_option_function<std::string>(
            name, [&out](const std::string& text) { out = parseWhole<std::int64_t>(text); }, help)
        ->type_name("N")
        ->check(check);
}

CLI::Option* addEach(CLI::App& app, const std::string& name, std::vector<std::string>& out,
                     const std::string& help)
{
    return app.add_option(name, out, help)->expected(1)->take_all();
}

CLI::Option* addZooKeeper(CLI::App& app)
{
    const auto check = [](const std::string& text) -> std::string {
        std::error_code ignored;
        return std::filesystem::exists(text, ignored)
                   ? ""
                   : unexpected(text,
                                "the directory that ZooKeeper's archive was unpacked to, or ZooKeeper's jar");
    };
    return app
        .add_option_function<std::string>(
            "--zookeeper", [](const std::string& path) { ::setenv("LOCKSCOPE_ZOOKEEPER", path.c_str(), 1); },
            "Start the private ZooKeeper from here: the directory that Apache's archive was unpacked to, or "
            "a jar with "
            "the others beside it. Otherwise from the variable LOCKSCOPE_ZOOKEEPER, or from where the "
            "distribution has it")
        ->type_name("DIR|JAR")
        ->check(check);
}

std::vector<OptionSection> sectionsOf(const CLI::App& command)
{
    std::vector<OptionSection> sections{{"Arguments", {}}, {"Options", {}}};
    for (const CLI::Option* option : command.get_options({}))
        sections[option->get_positional() ? 0 : 1].options.push_back(option);
    for (const CLI::App* group :
         command.get_subcommands([](const CLI::App* one) { return one->get_name().empty(); }))
        sections.push_back({group->get_group(), group->get_options({})});
    std::erase_if(sections, [](const OptionSection& section) { return section.options.empty(); });
    return sections;
}

std::vector<const CLI::Option*> optionsOf(const CLI::App& command)
{
    std::vector<const CLI::Option*> all;
    for (const OptionSection& section : sectionsOf(command))
        all.insert(all.end(), section.options.begin(), section.options.end());
    return all;
}

CLI::App* addGroup(CLI::App& command, const std::string& title)
{
    CLI::App* group = command.add_option_group(title);
    group->set_help_flag();
    return group;
}

Result<void> checkOutputs(std::vector<Output> outputs, const std::vector<std::string>& read)
{
    std::erase_if(outputs, [](const Output& output) { return output.path.empty(); });
    for (auto output = outputs.begin(); output != outputs.end(); ++output) {
        for (const std::string& file : read)
            if (!file.empty() && isSameFile(output->path, file))
                return Error{ErrorCode::badUsage,
                             output->option + ": " + output->path + " is the file " + file +
                                 ", which is read and would be replaced.",
                             "Choose another name."};
        const auto same = std::find_if(outputs.begin(), output, [&](const Output& other) {
            return isSameFile(other.path, output->path);
        });
        if (same != output)
            return Error{ErrorCode::badUsage,
                         output->option + ": " + output->path + " is written by " + same->option +
                             " already.",
                         "Choose another name."};
    }
    return {};
}

Error usageError(const CLI::App& program, const CLI::ParseError& error)
{
    const auto [command, name] = chosen(program);
    const std::vector<std::string> extras = command->remaining();
    const std::string names = commandNames(program);
    std::string text = std::string(error.what()) + ".";
    if (command == &program && !names.empty() && dynamic_cast<const CLI::RequiredError*>(&error))
        text = (extras.empty() ? "No command was given." : extras.front() + " is no command.") +
               " Expected one of " + names + ".";
    else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error))
        text = wrongNumber(*command, error.what());
    else if (!extras.empty() && dynamic_cast<const CLI::ExtrasError*>(&error)) {
        const auto option = std::ranges::find_if(
            extras, [](const std::string& extra) { return extra.size() > 1 && extra.starts_with('-'); });
        const std::string& argument = option == extras.end() ? extras.front() : *option;
        if (argument.starts_with("--sasl") && command->get_option_no_throw("--connect"))
            return noSasl(argument);
        text = withoutEffect(*command, argument);
    }
    return Error{ErrorCode::badUsage, text, name + " --help lists its options."};
}

} // namespace lockscope::app
