// ZooKeeper's four-letter words: one word on a connection, plain text back until the server closes it. The
// server answers only the words of its allow list (4lw.commands.whitelist).
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/tls/failure.h"
#include "core/tls/tls.h"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace lockscope::server {

inline constexpr std::size_t kMaxFourLetterReply = 16u << 20; // bytes

// `address`: a numeric HOST:PORT. Calls `done` once on the thread of `io`, never inside this call. Error:
// badUsage for a malformed address, noServer when there is no whole answer within `limit`, unsupported when
// the word is not on its allow list, limitExceeded for an answer beyond kMaxFourLetterReply. busy: the server
// is up but does not serve requests (it has no quorum).
void asyncFourLetterWord(boost::asio::io_context& io, const std::string& address, std::string word,
                         Duration limit, std::function<void(Result<std::string>)> done,
                         const tls::Security& security = {});

// The same, with why the connection could not be secured: then the error says so too.
using WordAnswered = std::function<void(Result<std::string>, const tls::Failure&)>;
void asyncSecuredWord(boost::asio::io_context& io, const std::string& address, std::string word,
                      Duration limit, const tls::Security& security, WordAnswered done);

// The same; any thread, blocks it until the answer is there, at most for `limit`.
Result<std::string> sendFourLetterWord(const std::string& address, std::string_view word, Duration limit,
                                       const tls::Security& security = {});

// The answer to srvr. Error: badInput when it has no version.
struct ServerStatus
{
    std::string version;     // "3.8.0"
    std::string mode;        // "standalone", "leader", "follower", "observer", "read-only"
    bool isZooKeeper = true; // false: ClickHouse Keeper
};
Result<ServerStatus> parseServerStatus(std::string_view srvr);

// True if an answer ends with an empty line, as a whole one to cons, wchs, wchp or wchc does. Without it the
// answer was cut off: the server went down, or closed the connection before it had answered.
bool endsWithEmptyLine(std::string_view answer);

// The answer to wchp: the sessions that watch each path. Lists data and existence watches, never child
// watches, and only those of sessions that are connected to this server. Error: badInput for any other text,
// including an answer that was cut off.
using WatchTable = std::map<std::string, std::vector<SessionId>>;
Result<WatchTable> parseWatchTable(std::string_view wchp);

} // namespace lockscope::server
