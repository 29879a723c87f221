// Asks all servers of an ensemble four-letter words, a round at a time. A server that does not permit a word,
// or whose answer to it is too long, is never sent that word again: it would cost the server as much each
// time. I/O thread.
#pragma once

#include "core/server/probe/four_letter.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::server {

// The server will not answer this word.
inline bool isRefusal(const Error& error)
{
    return error.code == ErrorCode::unsupported || error.code == ErrorCode::limitExceeded;
}

class WordRounds
{
public:
    using Answered = std::function<void(const std::string& server, const std::string& word,
                                        const Result<std::string>& answer)>;

    // `servers`: numeric.
    WordRounds(boost::asio::io_context& io, std::vector<std::string> servers, tls::Security security = {});
    std::size_t servers() const { return m_servers.size(); }
    // `answered`: called with each answer, or why there is none, as it arrives; `done`: after the last, and
    // within this call if there is no server to ask. Both may outlive this.
    void ask(const std::vector<std::string>& words, Duration limit, Answered answered,
             std::function<void()> done);
    std::optional<Error> refusal(const std::string& word) const; // of some server; none: none has refused it
    bool isRefused(const std::string& word) const;               // by every server

private:
    using Refusals = std::map<std::string, std::map<std::size_t, Error>>; // by word and server

    boost::asio::io_context& m_io;
    std::vector<std::string> m_servers;
    tls::Security m_security;
    std::shared_ptr<Refusals> m_refusals = std::make_shared<Refusals>();
};

// The answers of several servers to wchp, together.
struct WatchTables
{
    WatchTable watches;
    std::uint32_t answered = 0;
    void take(const Result<std::string>& wchp);
};

} // namespace lockscope::server
