// Scenarios by name: a built-in one, or a file.
#include "core/sim/scenario/scenario.h"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace lockscope::sim {

namespace {

Error notFound(const std::string& nameOrPath)
{
    std::string known;
    for (const BuiltIn& builtIn : builtIns())
        known += (known.empty() ? "" : ", ") + std::string(builtIn.name);
    return Error{ErrorCode::badUsage, message("There is no scenario \"%1\".", nameOrPath),
                 message("Expected a .toml file that can be read, or one of the built-in ones: %1.", known)};
}

} // namespace

Result<Scenario> loadScenario(const std::string& nameOrPath)
{
    for (const BuiltIn& builtIn : builtIns())
        if (builtIn.name == nameOrPath)
            return parseScenario(builtIn.toml, std::string(builtIn.name) + ".toml");
    std::error_code error;
    if (!std::filesystem::is_regular_file(nameOrPath, error))
        return notFound(nameOrPath);
    if (std::filesystem::file_size(nameOrPath, error) > 1024 * 1024)
        return Error{ErrorCode::badUsage, message("%1 is larger than a megabyte.", nameOrPath),
                     message("A scenario is a short TOML file.")};
    std::ifstream file(nameOrPath, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    if (!file)
        return Error{ErrorCode::badUsage, message("%1 cannot be read.", nameOrPath), message("Check the permissions.")};
    return parseScenario(content.str(), nameOrPath);
}

} // namespace lockscope::sim
