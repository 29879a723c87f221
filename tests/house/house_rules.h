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

// The types that a header defines in the namespace itself: neither in one inside it, nor in a class. Of a
// class that is only declared there, nothing is said.
std::vector<std::string> typesDefined(std::string_view header, std::string_view inNamespace);

bool endsWithNewline(std::string_view text);

} // namespace lockscope::house
