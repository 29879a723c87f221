#include "app/pages/write_pages.h"

#include "app/lockscope/command_line.h"
#include "app/lockscope_cli/commands.h"
#include "app/options/pages.h"
#include "app/options/values.h"
#include "app/pages/completion.h"

#include "core/base/output_file.h"

#include <algorithm>
#include <sstream>

namespace lockscope::app {

namespace {

std::string roff(const std::string& text)
{
    std::string escaped = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
    for (const char character : text)
        escaped += character == '-' ? "\\-" : character == '\\' ? "\\e" : std::string(1, character);
    return escaped;
}

std::string upper(std::string text)
{
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

std::string withFullStop(const std::string& text) { return text + (text.ends_with('.') ? "" : "."); }

std::string optionList(const CLI::App& command)
{
    std::string text;
    for (const OptionSection& section : sectionsOf(command)) {
        if (section.title != "Arguments" && section.title != "Options")
            text += ".PP\n" + roff(section.title) + ":\n";
        for (const CLI::Option* option : section.options)
            text += ".TP\n.B " + roff(option->get_positional() ? option->get_name() : headOf(*option)) +
                    "\n" + roff(withFullStop(option->get_description())) + "\n";
    }
    return text;
}

// `heading`: the request that begins a section of the footer.
std::string footerOf(const CLI::App& command, const std::string& heading)
{
    std::string text;
    std::istringstream footer(command.get_footer());
    bool shown = false; // as it is
    for (std::string line; std::getline(footer, line);) {
        const bool verbatim = line.starts_with("  ");
        if (verbatim != shown)
            text += verbatim ? ".nf\n" : ".fi\n";
        shown = verbatim;
        if (verbatim)
            text += roff(line.substr(2)) + "\n";
        else if (line.ends_with(':'))
            text += heading == ".SH" ? ".SH " + upper(roff(line.substr(0, line.size() - 1))) + "\n"
                                     : ".PP\n" + roff(line) + "\n";
        else
            text += ".PP\n" + roff(line) + "\n";
    }
    return text + (shown ? ".fi\n" : "");
}

std::string manPage(const CLI::App& program, const std::string& other)
{
    const std::string name = program.get_name();
    const auto commands = commandsOf(program);
    std::string text = ".TH " + upper(roff(name)) +
                       " 1 \"\" \"LockScope " LOCKSCOPE_VERSION "\" \"User Commands\"\n.SH NAME\n" +
                       roff(name) +
                       " \\- shows and simulates the contention for ZooKeeper locks\n.SH SYNOPSIS\n";
    if (program.get_require_subcommand_min() == 0)
        text += ".B " + roff(usageOf(program, name)) + "\n.br\n";
    for (const CLI::App* command : commands)
        text += ".B " + roff(usageOf(*command, name + " " + command->get_name())) + "\n.br\n";
    text += ".SH DESCRIPTION\n" + roff(withFullStop(program.get_description())) + "\n.SH OPTIONS\n" +
            optionList(program);
    text += ".SH COMMANDS\n";
    for (const CLI::App* command : commands)
        text += ".SS " + roff(command->get_name()) + "\n" + roff(withFullStop(command->get_description())) +
                "\n" + optionList(*command) + footerOf(*command, ".PP");
    text += footerOf(program, ".SH");
    return text +
           ".SH ENVIRONMENT\n.TP\n.B LOCKSCOPE_ZOOKEEPER\nThe ZooKeeper to start, as with \\-\\-zookeeper.\n"
           ".TP\n.B JAVA_HOME\nWhere Java is, which runs that ZooKeeper.\n.SH SEE ALSO\n.BR " +
           roff(other) + " (1)\n";
}

Result<void> writeFile(const std::filesystem::path& path, const std::string& text)
{
    OutputFile file;
    std::error_code error = file.open(path.string());
    if (!error)
        error = file.write(text);
    if (!error)
        error = file.commit();
    return error ? Result<void>(outputError("The page cannot be written to", path.string(), error))
                 : Result<void>();
}

Result<void> writeProgram(const std::filesystem::path& folder, const CLI::App& program,
                          const std::string& other)
{
    for (const auto& [ending, text] : {std::pair(".1", manPage(program, other)),
                                       {".bash", bashCompletion(program)},
                                       {".zsh", zshCompletion(program)},
                                       {".fish", fishCompletion(program)}})
        if (const Result<void> written = writeFile(folder / (program.get_name() + ending), text); !written)
            return written;
    return {};
}

} // namespace

Result<void> writePages(const std::filesystem::path& folder)
{
    Result<void> written = writeProgram(folder, *cliProgram().app, "lockscope");
    if (written)
        withWindowProgram(
            [&](const CLI::App& program) { written = writeProgram(folder, program, "lockscope-cli"); });
    return written;
}

} // namespace lockscope::app
