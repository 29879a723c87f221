// TLS on a socket that its user waits for: nothing here waits, and nothing raises SIGPIPE. One thread at a
// time.
#pragma once

#include "core/tls/failure.h"
#include "core/tls/tls.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct ssl_st; // OpenSSL's SSL

namespace lockscope::tls {

class Channel
{
public:
    enum class Status {
        done,
        wantsRead, // call again when the socket is readable
        wantsWrite,
        ended, // by the server, or by a failure
    };

    // `socket`: does not block, may still be connecting, and stays its user's, who closes it after this
    // object. `host`: whose certificate the server must show.
    Channel(int socket, ContextPtr context, const std::string& host);
    ~Channel();
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    // Until it is done, nothing may be read or written. Then the server is the one that was meant.
    Status handshake();
    Status read(std::span<char> space, std::size_t& bytes);
    Status write(std::string_view bytes, std::size_t& written);
    // After `ended`: why the connection could not be secured. None: that was not the reason.
    const Failure& failure() const { return m_failure; }

private:
    struct Free
    {
        void operator()(ssl_st* ssl) const;
    };
    Status statusOf(int result);

    const ContextPtr m_context;
    std::unique_ptr<ssl_st, Free> m_ssl; // none: it could not be made
    bool m_handshaking = true;
    Failure m_failure;
};

} // namespace lockscope::tls
