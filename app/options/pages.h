// The pages of help, made from what a program declares.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace lockscope::app {

// Columns of 24 and 56 characters; longer names have a line of their own. The footer is a list of sections: a
// line that ends in a colon is a heading, the lines below it that begin with two blanks are shown as they
// are.
class HelpFormatter : public CLI::Formatter
{
public:
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

// The first column of an option's row: "--lock PATH".
std::string headOf(const CLI::Option& option);
std::string usageOf(const CLI::App& command, const std::string& name);
// Subcommands, without the groups of options.
std::vector<const CLI::App*> commandsOf(const CLI::App& program);

// What --help or --version prints.
std::string textOf(const CLI::App& program, const CLI::Success& wanted);

} // namespace lockscope::app
