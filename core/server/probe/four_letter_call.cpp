#include "core/server/probe/four_letter_call.h"

#include "core/base/host_port.h"
#include "core/base/system_message.h"
#include "core/server/probe/four_letter.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include <memory>
#include <utility>

namespace lockscope::server {

namespace {

using boost::system::error_code;

struct Call : std::enable_shared_from_this<Call>
{
    Call(boost::asio::io_context& io, std::string to, std::string what,
         std::function<void(Result<std::string>)> callback)
        : socket(io)
        , limit(io)
        , address(std::move(to))
        , word(std::move(what))
        , done(std::move(callback))
    {}

    void begin(const boost::asio::ip::tcp::endpoint& server, Duration patience);
    void send();
    void receive();
    void end(Result<std::string> result);
    Error noAnswer(const Message& why) const
    {
        return Error{ErrorCode::noServer, message("The server at %1 does not answer: %2.", address, why), {}};
    }

    boost::asio::ip::tcp::socket socket;
    boost::asio::steady_timer limit;
    std::string address;
    std::string word;
    std::string answer;
    std::function<void(Result<std::string>)> done;
};

void Call::begin(const boost::asio::ip::tcp::endpoint& server, Duration patience)
{
    limit.expires_after(patience);
    limit.async_wait([self = shared_from_this()](error_code stopped) {
        if (!stopped)
            self->end(self->noAnswer(message("it takes too long")));
    });
    socket.async_connect(server, [self = shared_from_this()](error_code failure) {
        if (failure)
            self->end(self->noAnswer(systemMessage(failure)));
        else
            self->send();
    });
}

void Call::send()
{
    boost::asio::async_write(socket, boost::asio::buffer(word),
                             [self = shared_from_this()](error_code failure, std::size_t) {
                                 if (failure)
                                     self->end(self->noAnswer(systemMessage(failure)));
                                 else
                                     self->receive();
                             });
}

void Call::receive()
{
    boost::asio::async_read(
        socket, boost::asio::dynamic_buffer(answer, kMaxFourLetterReply),
        [self = shared_from_this()](error_code failure, std::size_t) {
            if (failure == boost::asio::error::eof)
                self->end(checkFourLetterAnswer(self->address, self->word, std::move(self->answer)));
            else if (failure)
                self->end(self->noAnswer(systemMessage(failure)));
            else
                self->end(Error{ErrorCode::limitExceeded,
                                message("The answer of %1 to \"%2\" is too long.", self->address, self->word), {}});
        });
}

void Call::end(Result<std::string> result)
{
    if (!done)
        return;
    error_code ignored;
    socket.close(ignored);
    limit.cancel();
    std::exchange(done, nullptr)(std::move(result));
}

} // namespace

void asyncFourLetterWord(boost::asio::io_context& io, const std::string& address, std::string word,
                       Duration limit, std::function<void(Result<std::string>)> done)
{
    const auto endpoint = parseNumericEndpoint(address);
    const auto call = std::make_shared<Call>(io, address, std::move(word), std::move(done));
    if (endpoint)
        return call->begin(*endpoint, limit);
    boost::asio::post(io, [call] { call->end(call->noAnswer(message("it is not a numeric address"))); });
}

} // namespace lockscope::server
