#include "core/base/node_path.h"

#include "core/base/utf8.h"

#include <array>
#include <cstdio>
#include <string>

namespace lockscope {

namespace {

// The server keeps names as UTF-16: what needs two units there begins with a surrogate, which it refuses like
// private characters.
bool isAcceptedInNames(char32_t code)
{
    return code >= 0x20 && !(code >= 0x7f && code <= 0x9f) && !(code >= 0xd800 && code <= 0xf8ff) &&
           code < 0xfff0;
}

std::string codePoint(char32_t code)
{
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "U+%04X", static_cast<unsigned>(code));
    return text.data();
}

} // namespace

std::optional<Error> checkNodePath(std::string_view path)
{
    const auto wrong = [](Message what, Message hint = {}) {
        return Error{ErrorCode::badUsage, std::move(what), std::move(hint)};
    };
    const auto before = [path](std::size_t at) { return std::string(path.substr(0, at)); };
    if (path.size() > kMaxNodePath)
        return wrong(message("The path of a node has %1 bytes; the limit is %2.", path.size(), kMaxNodePath));
    for (std::size_t at = 0; at < path.size();) {
        const auto [code, length] = firstCharacter(path.substr(at));
        if (length == 0)
            return wrong(message("The path is not UTF-8 after \"%1\".", before(at)));
        if (!isAcceptedInNames(code))
            return wrong(
                message("ZooKeeper does not accept the character %1 in a path; here it follows \"%2\".",
                        codePoint(code), before(at)));
        at += length;
    }
    if (!isNodePath(path))
        return wrong(message("ZooKeeper does not accept the path \"%1\".", std::string(path)),
                     message("A path begins with a slash, has no empty part and does not end with a slash."));
    return std::nullopt;
}

} // namespace lockscope
