// Paths of ZooKeeper nodes. Pure; any thread.
#pragma once

#include "core/base/error.h"

#include <optional>
#include <string_view>

namespace lockscope {

// The check that the C client makes before a request (isValidPath in its zookeeper.c): "/", or names that
// each follow a slash; a name is not empty, "." or "..", and has no control characters.
inline bool isNodePath(std::string_view path)
{
    if (path == "/")
        return true;
    if (path.empty())
        return false;
    while (!path.empty()) {
        if (path.front() != '/')
            return false;
        const std::string_view name = path.substr(1, path.find('/', 1) - 1);
        if (name.empty() || name == "." || name == "..")
            return false;
        for (const char character : name)
            if (static_cast<unsigned char>(character) < 0x20 || character == 0x7F)
                return false;
        path.remove_prefix(1 + name.size());
    }
    return true;
}

// The longest path that locks use, in bytes: far below the limit of a server for a request, beyond which it
// would close the connection again and again.
inline constexpr std::size_t kMaxNodePath = 64 * 1024;

// badUsage when a server does not accept the path (PathUtils.validatePath), or when it is longer than
// kMaxNodePath. Names the character at fault.
std::optional<Error> checkNodePath(std::string_view path);

} // namespace lockscope
