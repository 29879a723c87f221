// ZooKeeper's four-letter words: one word on a connection, plain text back until the server closes it. The
// server answers only words of its white list. Any thread; blocks the caller until the timeout at the latest.
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/base/time.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::server {

inline constexpr std::size_t kMaxFourLetterReply = 16u << 20; // bytes of an answer

// Error: noServer when nobody answers or the server is not serving, unsupported when the word is not on its
// white list, limitExceeded for an answer beyond kMaxFourLetterReply.
Result<std::string> sendFourLetterWord(const std::string& address, std::string_view word, Duration timeout);

// What a whole answer says, read from the connection by somebody else: the text itself, or why there is none.
Result<std::string> checkFourLetterAnswer(const std::string& address, std::string_view word, std::string answer);

// The answer to srvr. Error: badInput when it has no version.
struct ServerStatus
{
    std::string version; // "3.8.0"
    std::string mode;    // "standalone", "leader", "follower"
};
Result<ServerStatus> parseServerStatus(std::string_view srvr);

// The answer to wchp: who watches what, by path. The server lists data and existence watches here, never
// child watches, and only those of sessions connected to it. Error: badInput for a line that is neither.
using WatchTable = std::map<std::string, std::vector<SessionId>>;
Result<WatchTable> parseWatchTable(std::string_view wchp);

} // namespace lockscope::server
