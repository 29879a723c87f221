// The rules of the house that can be read off the source text: which folder may include what, and which files
// must be named where. Pure functions on paths (relative to the top, with /) and texts; no file is opened
// here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockscope::house {

// One sentence for each #include line that breaks a rule. Empty: all is well.
std::vector<std::string> includeViolations(const std::string& path, std::string_view text);

// Whether the CMakeLists.txt of this text names the file: `file` is relative to that CMakeLists.txt.
bool namesFile(std::string_view cmakeLists, const std::string& file);

bool endsWithNewline(std::string_view text);

} // namespace lockscope::house
