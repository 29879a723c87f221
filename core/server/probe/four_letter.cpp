#include "core/server/probe/four_letter.h"

#include "core/server/deadline.h"
#include "core/server/probe/tcp_stream.h"

#include <charconv>
#include <cstdint>

namespace lockscope::server {

namespace {

constexpr std::string_view kNotListed = "is not executed because it is not in the whitelist";
constexpr std::string_view kNotServing = "This ZooKeeper instance is not currently serving requests";

std::string_view takeLine(std::string_view& text)
{
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

std::string_view after(std::string_view line, std::string_view prefix)
{
    return line.starts_with(prefix) ? line.substr(prefix.size()) : std::string_view{};
}

} // namespace

Result<std::string> sendFourLetterWord(const std::string& address, std::string_view word, Duration timeout)
{
    const auto deadline = deadlineIn(timeout);
    auto stream = TcpStream::connect(address, deadline);
    if (!stream)
        return stream.error();
    if (const auto sent = stream->send(word, deadline); !sent)
        return sent.error();
    auto answer = stream->receiveToEnd(kMaxFourLetterReply, deadline);
    if (!answer)
        return answer.error();
    return checkFourLetterAnswer(address, word, std::move(*answer));
}

Result<std::string> checkFourLetterAnswer(const std::string& address, std::string_view word, std::string answer)
{
    if (answer.find(kNotListed) < 64)
        return Error{ErrorCode::unsupported,
                     message("The server at %1 does not answer \"%2\".", address, word),
                     message("Add the word to 4lw.commands.whitelist in its configuration.")};
    if (answer.starts_with(kNotServing))
        return Error{ErrorCode::noServer, message("The server at %1 is up but does not serve requests.", address), {}};
    return answer;
}

Result<ServerStatus> parseServerStatus(std::string_view srvr)
{
    ServerStatus status;
    while (!srvr.empty()) {
        const auto line = takeLine(srvr);
        // "Zookeeper version: 3.8.0-5a02a05eddb59aee6ac762f7ea82e92a68eb9c0f, built on ..."
        if (const auto version = after(line, "Zookeeper version: "); !version.empty())
            status.version = version.substr(0, version.find_first_of("-, "));
        else if (const auto mode = after(line, "Mode: "); !mode.empty())
            status.mode = mode;
    }
    if (status.version.empty())
        return Error{ErrorCode::badInput, message("The answer to \"%1\" has no version.", "srvr"), {}};
    return status;
}

Result<WatchTable> parseWatchTable(std::string_view wchp)
{
    WatchTable table;
    std::vector<SessionId>* watchers = nullptr;
    while (!wchp.empty()) {
        const auto line = takeLine(wchp);
        if (line.empty())
            continue;
        if (line.front() == '/') {
            watchers = &table[std::string(line)];
            continue;
        }
        const auto digits = after(line, "\t0x");
        std::uint64_t id = 0;
        const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), id, 16);
        if (watchers == nullptr || digits.empty() || parsed.ec != std::errc{} ||
            parsed.ptr != digits.data() + digits.size())
            return Error{ErrorCode::badInput, message("The answer to \"%1\" is not a watch table.", "wchp"), {}};
        watchers->push_back(SessionId{static_cast<std::int64_t>(id)});
    }
    return table;
}

} // namespace lockscope::server
