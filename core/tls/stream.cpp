#include "core/tls/stream.h"

#include "core/base/host_port.h"
#include "core/tls/context.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include <optional>
#include <utility>

namespace lockscope::tls {

namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

} // namespace

struct Stream::Impl
{
    Impl(boost::asio::io_context& io, Security how)
        : socket(io)
        , security(std::move(how))
    {}

    bool secure(const tcp::endpoint& server)
    {
        const std::string host = security.hostOf(formatHostPort(server.address().to_string(), server.port()));
        secured.emplace(socket, security.context->asio());
        return security.context->prepare(secured->native_handle(), host);
    }
    // Of a handshake, or of the first reading after it: in TLS 1.3 the server looks at our certificate after
    // that.
    void note(error_code error)
    {
        const bool closed = error == boost::asio::error::eof ||
                            error == boost::asio::error::connection_reset ||
                            error == boost::asio::ssl::error::stream_truncated;
        if (closed ? handshaking : error.category() == boost::asio::error::get_ssl_category())
            failure = security.context->failureOf(secured->native_handle(),
                                                  closed ? 0 : static_cast<unsigned>(error.value()));
    }

    tcp::socket socket;
    const Security security;
    std::optional<boost::asio::ssl::stream<tcp::socket&>> secured; // before it only if the security is off
    bool handshaking = false;
    Failure failure;
};

Stream::Stream(boost::asio::io_context& io, Security security)
    : m_impl(std::make_shared<Impl>(io, std::move(security)))
{}

Stream::~Stream() { close(); }

const Failure& Stream::failure() const { return m_impl->failure; }

void Stream::connect(const tcp::endpoint& server, Done done)
{
    m_impl->socket.async_connect(
        server, [self = m_impl, server, done = std::move(done)](error_code error) mutable {
            error_code ignored;
            self->socket.set_option(tcp::no_delay(true), ignored);
            if (error || !self->security.isOn())
                return done(error, 0);
            if (!self->secure(server)) {
                self->failure = {Fault::other, "no host to check"};
                return done(boost::asio::error::invalid_argument, 0);
            }
            self->handshaking = true;
            self->secured->async_handshake(boost::asio::ssl::stream_base::client,
                                           [self, done = std::move(done)](error_code failed) mutable {
                                               if (failed)
                                                   self->note(failed);
                                               self->handshaking = false;
                                               done(failed, 0);
                                           });
        });
}

void Stream::readSome(std::span<char> space, Done done)
{
    auto finish = [self = m_impl, done = std::move(done)](error_code error, std::size_t bytes) mutable {
        if (error && self->secured)
            self->note(error);
        done(error == boost::asio::ssl::error::stream_truncated ? boost::asio::error::eof : error, bytes);
    };
    const auto buffer = boost::asio::buffer(space.data(), space.size());
    if (m_impl->secured)
        m_impl->secured->async_read_some(buffer, std::move(finish));
    else
        m_impl->socket.async_read_some(buffer, std::move(finish));
}

void Stream::write(std::string_view bytes, Done done)
{
    const auto buffer = boost::asio::buffer(bytes);
    auto finish = [self = m_impl, done = std::move(done)](error_code error, std::size_t written) mutable {
        done(error, written);
    };
    if (m_impl->secured)
        boost::asio::async_write(*m_impl->secured, buffer, std::move(finish));
    else
        boost::asio::async_write(m_impl->socket, buffer, std::move(finish));
}

void Stream::close()
{
    error_code ignored;
    m_impl->socket.close(ignored);
}

} // namespace lockscope::tls
