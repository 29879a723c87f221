// The rules for the source tree: what the files of each folder may include, and which files a CMakeLists.txt
// must name. Pure functions of paths (relative to the top, with /) and texts; they open no file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockscope::source_tree {

// One sentence for each #include line that breaks a rule. Empty: all is well.
std::vector<std::string> includeViolations(const std::string& path, std::string_view text);

// Whether the CMakeLists.txt of this text names the file: `file` is relative to that CMakeLists.txt.
bool namesFile(std::string_view cmakeLists, const std::string& file);

// The types that a header defines in the namespace itself: neither in one inside it, nor in a class. Of a
// class that is only declared there, nothing is said.
std::vector<std::string> typesDefined(std::string_view header, std::string_view inNamespace);

bool endsWithNewline(std::string_view text);

} // namespace lockscope::source_tree
