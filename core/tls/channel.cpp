#include "core/tls/channel.h"

#include "core/tls/context.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <sys/socket.h>

#include <cerrno>
#include <cstdint>

namespace lockscope::tls {

namespace {

// OpenSSL's own BIO for sockets writes with write(), and a broken connection would then end the whole
// process.
int socketOf(BIO* bio) { return static_cast<int>(reinterpret_cast<std::intptr_t>(BIO_get_data(bio))); }

bool isTemporary() { return errno == EAGAIN || errno == EINTR; }

int sendBytes(BIO* bio, const char* bytes, int size)
{
    BIO_clear_retry_flags(bio);
    const ssize_t sent =
        ::send(socketOf(bio), bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && isTemporary())
        BIO_set_retry_write(bio);
    return static_cast<int>(sent);
}

int receiveBytes(BIO* bio, char* space, int size)
{
    BIO_clear_retry_flags(bio);
    const ssize_t received = ::recv(socketOf(bio), space, static_cast<std::size_t>(size), MSG_DONTWAIT);
    if (received < 0 && isTemporary())
        BIO_set_retry_read(bio);
    return static_cast<int>(received);
}

long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

const BIO_METHOD* method()
{
    static BIO_METHOD* const made = [] {
        BIO_METHOD* const socket = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
        BIO_meth_set_write(socket, &sendBytes);
        BIO_meth_set_read(socket, &receiveBytes);
        BIO_meth_set_ctrl(socket, &control);
        return socket;
    }();
    return made;
}

} // namespace

void Channel::Free::operator()(ssl_st* ssl) const { SSL_free(ssl); }

Channel::Channel(int socket, ContextPtr context, const std::string& host)
    : m_context(std::move(context))
    , m_ssl(SSL_new(m_context->asio().native_handle()))
{
    BIO* const bio = m_ssl ? BIO_new(method()) : nullptr;
    if (!bio || !m_context->prepare(m_ssl.get(), host)) {
        BIO_free(bio);
        m_ssl.reset();
        return;
    }
    BIO_set_data(bio, reinterpret_cast<void*>(static_cast<std::intptr_t>(socket)));
    BIO_set_init(bio, 1);
    SSL_set_bio(m_ssl.get(), bio, bio);
}

Channel::~Channel() = default;

Channel::Status Channel::statusOf(int result)
{
    switch (SSL_get_error(m_ssl.get(), result)) {
    case SSL_ERROR_NONE:
        return Status::done;
    case SSL_ERROR_WANT_READ:
        return Status::wantsRead;
    case SSL_ERROR_WANT_WRITE:
        return Status::wantsWrite;
    case SSL_ERROR_SSL:
        m_failure = m_context->failureOf(m_ssl.get(), ERR_peek_error());
        if (m_failure.fault == Fault::closed && !m_handshaking)
            m_failure = {}; // it has ended without a good-bye, as ZooKeeper does
        return Status::ended;
    default: // of the socket, or the server's good-bye
        if (m_handshaking && (errno == 0 || errno == ECONNRESET || errno == EPIPE))
            m_failure = m_context->failureOf(m_ssl.get(), 0);
        return Status::ended;
    }
}

Channel::Status Channel::handshake()
{
    if (!m_ssl) {
        m_failure = {Fault::other, "no host to check"};
        return Status::ended;
    }
    ERR_clear_error();
    errno = 0;
    const Status status = statusOf(SSL_connect(m_ssl.get()));
    if (status == Status::done)
        m_handshaking = false;
    return status;
}

Channel::Status Channel::read(std::span<char> space, std::size_t& bytes)
{
    ERR_clear_error();
    errno = 0;
    bytes = 0;
    return statusOf(SSL_read_ex(m_ssl.get(), space.data(), space.size(), &bytes));
}

Channel::Status Channel::write(std::string_view bytes, std::size_t& written)
{
    ERR_clear_error();
    errno = 0;
    written = 0;
    return statusOf(SSL_write_ex(m_ssl.get(), bytes.data(), bytes.size(), &written));
}

} // namespace lockscope::tls
