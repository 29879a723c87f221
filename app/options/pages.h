// The pages of help, made from what a program declares.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace lockscope::app {

// Columns of 24 and 56 characters; longer names have a line of their own. The footer is a list of sections: a
// line that ends in a colon is a heading, the lines below it that begin with two blanks are shown as they
// are.
class HelpFormatter : public CLI::Formatter
{
public:
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

// What --help or --version prints.
std::string textOf(const CLI::App& program, const CLI::Success& wanted);

} // namespace lockscope::app
