// Completions, made from what a program declares. Pure.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace lockscope::app {

std::string bashCompletion(const CLI::App& program);
std::string zshCompletion(const CLI::App& program);
std::string fishCompletion(const CLI::App& program);

} // namespace lockscope::app
