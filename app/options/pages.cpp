#include "app/options/pages.h"

#include "app/options/values.h"

#include <sstream>

namespace lockscope::app {

namespace {

constexpr std::size_t kIndent = 2, kColumn = 26, kWidth = 80;

// The words of the text, each line after the first with the indent, none longer than kWidth if its words
// allow.
std::string wrapped(const std::string& text, std::size_t column, std::size_t indent)
{
    std::istringstream words(text);
    std::string lines;
    for (std::string word; words >> word;) {
        const bool first = lines.empty();
        if (!first && column + 1 + word.size() > kWidth) {
            lines += "\n" + std::string(indent, ' ');
            column = indent;
        } else if (!first) {
            lines += ' ';
            ++column;
        }
        lines += word;
        column += word.size();
    }
    return lines + "\n";
}

std::string sentence(const std::string& text) { return text + (text.ends_with('.') ? "" : "."); }

std::string row(const std::string& name, const std::string& text)
{
    const std::string head = std::string(kIndent, ' ') + name;
    const bool fits = head.size() + 2 <= kColumn;
    return head + (fits ? std::string(kColumn - head.size(), ' ') : "\n" + std::string(kColumn, ' ')) +
           wrapped(text, kColumn, kColumn);
}

std::string optionRows(const std::vector<const CLI::Option*>& options)
{
    std::string text;
    for (const CLI::Option* option : options)
        text +=
            row(option->get_positional() ? option->get_name() : headOf(*option), option->get_description());
    return text;
}

} // namespace

std::string headOf(const CLI::Option& option)
{
    const std::string name = option.get_name(true, true), type = option.get_type_name();
    if (option.get_positional() || type.empty() || option.get_items_expected_max() == 0)
        return option.get_positional() && !type.empty() ? type : name;
    return name + " " + type;
}

std::string usageOf(const CLI::App& command, const std::string& name)
{
    std::string text = name;
    for (const CLI::Option* option : optionsOf(command))
        if (!option->get_positional() && option->get_required())
            text += " " + headOf(*option);
    text += " [OPTIONS]";
    for (const CLI::Option* option : optionsOf(command))
        if (option->get_positional())
            text += option->get_required() ? " " + option->get_name() : " [" + option->get_name() + "]";
    return text;
}

std::vector<const CLI::App*> commandsOf(const CLI::App& program)
{
    return program.get_subcommands([](const CLI::App* one) { return !one->get_name().empty(); });
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const
{
    const auto commands = commandsOf(*app);
    const bool onlyCommands = !commands.empty() && app->get_require_subcommand_min() > 0;
    std::string text =
        onlyCommands ? "Usage: " + name + " COMMAND ...\n" : "Usage: " + usageOf(*app, name) + "\n";
    text += "\n" + wrapped(sentence(app->get_description()), 0, 0);
    if (!commands.empty()) {
        text += "\nCommands:\n";
        for (const CLI::App* command : commands)
            text += row(command->get_name(), command->get_description());
    }
    for (const OptionSection& section : sectionsOf(*app))
        text += "\n" + section.title + ":\n" + optionRows(section.options);
    std::istringstream footer(app->get_footer());
    for (std::string line; std::getline(footer, line);)
        text += line.starts_with("  ") ? line + "\n" : "\n" + wrapped(line, 0, 0);
    return text;
}

std::string textOf(const CLI::App& program, const CLI::Success& wanted)
{
    std::ostringstream text;
    program.exit(wanted, text, text);
    return text.str();
}

} // namespace lockscope::app
