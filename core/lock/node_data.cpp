#include "core/lock/node_data.h"

#include "core/queue/words.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace lockscope::lock {

namespace {

// A reader of nodes has the word without the recipes.
static_assert(kAnnouncement == queue::kAnnouncement);

std::string withoutBlanks(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c <= ' '; }, '_');
    return text.empty() ? "-" : text;
}

std::string hostName()
{
    std::array<char, 256> name{};
    return withoutBlanks(gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "");
}

} // namespace

std::string defaultNodeData()
{
    static const std::string host = hostName();
    static const std::string program = withoutBlanks(program_invocation_short_name);
    return host + " " + std::to_string(getpid()) + " " + program; // a forked process has another id
}

std::optional<Error> checkNodeData(std::string_view data)
{
    if (isAnnouncement(data))
        return Error{ErrorCode::badUsage,
                     message("The data of a node must not end with %1.", std::string(kAnnouncement)),
                     message("A holder writes that into its node to announce that it holds the lock.")};
    if (data.size() > kMaxNodeData)
        return Error{ErrorCode::badUsage,
                     message("The data of a node has %1 bytes; the limit is %2.", data.size(), kMaxNodeData),
                     {}};
    return std::nullopt;
}

std::string withAnnouncement(std::string_view data)
{
    std::string text;
    text.reserve(data.size() + 1 + kAnnouncement.size());
    return std::move(text.append(data).append(data.empty() ? "" : " ").append(kAnnouncement));
}

bool isAnnouncement(std::string_view data) { return data.ends_with(kAnnouncement); }

std::string_view withoutAnnouncement(std::string_view data)
{
    if (isAnnouncement(data))
        data.remove_suffix(kAnnouncement.size());
    else
        return data;
    if (data.ends_with(' '))
        data.remove_suffix(1);
    return data;
}

} // namespace lockscope::lock
