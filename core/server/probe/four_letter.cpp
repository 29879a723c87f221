#include "core/server/probe/four_letter.h"

#include "core/base/numbers.h"
#include "core/base/numeric_endpoint.h"
#include "core/base/system_message.h"
#include "core/tls/stream.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

namespace lockscope::server {

namespace {

using boost::system::error_code;

constexpr std::string_view kNotListed =
    "is not executed because it is not in the white"; // list, or white list
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

// The text of a whole answer, or why there is none.
Result<std::string> checkFourLetterAnswer(const std::string& address, std::string_view word,
                                          std::string answer)
{
    if (answer.find(kNotListed) < 64)
        return Error{
            ErrorCode::unsupported, message("The server at %1 does not answer \"%2\".", address, word),
            message("Add this line to its zoo.cfg: %1", "4lw.commands.whitelist=srvr,cons,dump,wchp")};
    if (answer.starts_with(kNotServing))
        return Error{
            ErrorCode::busy, message("The server at %1 is up but does not serve requests.", address), {}};
    return answer;
}

struct Call : std::enable_shared_from_this<Call>
{
    Call(boost::asio::io_context& io, std::string to, std::string what, tls::Security how,
         WordAnswered callback)
        : stream(io, how)
        , limit(io)
        , address(std::move(to))
        , word(std::move(what))
        , security(std::move(how))
        , done(std::move(callback))
    {}

    void begin(const boost::asio::ip::tcp::endpoint& server, Duration patience);
    void send();
    void receive();
    void fail(error_code failure);
    void end(Result<std::string> result);
    Error noAnswer(const Message& why) const
    {
        return Error{ErrorCode::noServer, message("The server at %1 does not answer: %2.", address, why), {}};
    }

    static constexpr std::size_t kPiece = std::size_t{64} << 10;

    tls::Stream stream;
    boost::asio::steady_timer limit;
    std::string address;
    std::string word;
    std::string answer;
    std::size_t received = 0; // bytes of the answer; the rest of it is free space
    tls::Security security;
    WordAnswered done;
};

void Call::begin(const boost::asio::ip::tcp::endpoint& server, Duration patience)
{
    limit.expires_after(patience);
    limit.async_wait([self = shared_from_this()](error_code stopped) {
        if (!stopped)
            self->end(self->noAnswer(message("it takes too long")));
    });
    stream.connect(server, [self = shared_from_this()](error_code failure, std::size_t) {
        if (failure)
            self->fail(failure);
        else
            self->send();
    });
}

void Call::send()
{
    stream.write(word, [self = shared_from_this()](error_code failure, std::size_t) {
        if (failure && !self->security.isOn())
            self->fail(failure);
        else
            self->receive(); // a server that refuses our certificate says so here
    });
}

void Call::receive()
{
    if (received == kMaxFourLetterReply)
        return end(Error{
            ErrorCode::limitExceeded, message("The answer of %1 to \"%2\" is too long.", address, word), {}});
    answer.resize(std::min(received + std::max(kPiece, received), kMaxFourLetterReply));
    stream.readSome(std::span(answer).subspan(received),
                    [self = shared_from_this()](error_code failure, std::size_t bytes) {
                        self->received += bytes;
                        if (!failure)
                            return self->receive();
                        if (failure != boost::asio::error::eof)
                            return self->fail(failure);
                        self->answer.resize(self->received);
                        self->end(checkFourLetterAnswer(self->address, self->word, std::move(self->answer)));
                    });
}

void Call::fail(error_code failure)
{
    const tls::Failure& why = stream.failure();
    end(why.fault == tls::Fault::none ? noAnswer(systemMessage(failure))
                                      : tls::describe(why, address, security.hostOf(address)));
}

void Call::end(Result<std::string> result)
{
    if (!done)
        return;
    stream.close();
    limit.cancel();
    std::exchange(done, nullptr)(std::move(result), stream.failure());
}

} // namespace

void asyncSecuredWord(boost::asio::io_context& io, const std::string& address, std::string word,
                      Duration limit, const tls::Security& security, WordAnswered done)
{
    const auto endpoint = parseNumericEndpoint(address);
    const auto call = std::make_shared<Call>(io, address, std::move(word), security, std::move(done));
    if (endpoint)
        return call->begin(*endpoint, limit);
    boost::asio::post(io, [call] {
        call->end(
            Error{ErrorCode::badUsage, message("\"%1\" is not a numeric HOST:PORT.", call->address), {}});
    });
}

void asyncFourLetterWord(boost::asio::io_context& io, const std::string& address, std::string word,
                         Duration limit, std::function<void(Result<std::string>)> done,
                         const tls::Security& security)
{
    asyncSecuredWord(io, address, std::move(word), limit, security,
                     [done = std::move(done)](Result<std::string> answer, const tls::Failure&) {
                         done(std::move(answer));
                     });
}

Result<std::string> sendFourLetterWord(const std::string& address, std::string_view word, Duration limit,
                                       const tls::Security& security)
{
    boost::asio::io_context io{1};
    Result<std::string> result = std::string();
    asyncFourLetterWord(
        io, address, std::string(word), limit,
        [&](Result<std::string> answer) { result = std::move(answer); }, security);
    io.run();
    return result;
}

Result<ServerStatus> parseServerStatus(std::string_view srvr)
{
    ServerStatus status;
    while (!srvr.empty()) {
        const auto line = takeLine(srvr);
        // "Zookeeper version: 3.8.0-5a02a05eddb59aee6ac762f7ea82e92a68eb9c0f, built on ..."
        if (const auto version = after(line, "Zookeeper version: "); !version.empty())
            status.version = version.substr(0, version.find_first_of("-, "));
        else if (const auto keeper = after(line, "ClickHouse Keeper version: "); !keeper.empty()) {
            status.version = keeper.substr(0, keeper.find_first_of("-, "));
            status.isZooKeeper = false;
        } else if (const auto mode = after(line, "Mode: "); !mode.empty())
            status.mode = mode;
    }
    if (status.version.empty())
        return Error{ErrorCode::badInput, message("The answer to \"%1\" has no version.", "srvr"), {}};
    return status;
}

bool endsWithEmptyLine(std::string_view answer) { return answer == "\n" || answer.ends_with("\n\n"); }

Result<WatchTable> parseWatchTable(std::string_view wchp)
{
    const Error notATable{
        ErrorCode::badInput, message("The answer to \"%1\" is not a watch table.", "wchp"), {}};
    if (!endsWithEmptyLine(wchp))
        return notATable;
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
        const auto id = parseHex<SessionId>(after(line, "\t0x"));
        if (watchers == nullptr || !id)
            return notATable;
        watchers->push_back(*id);
    }
    return table;
}

} // namespace lockscope::server
