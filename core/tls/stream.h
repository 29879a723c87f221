// A TCP connection of Boost.Asio to a server, secured or in plain text: what uses it need not know which.
// Runs on the thread of the io_context; handlers are never called within the call that takes them. Closing or
// destroying the stream ends what is under way with an error.
#pragma once

#include "core/base/unique_function.h"
#include "core/tls/failure.h"
#include "core/tls/tls.h"

#include <boost/asio/ip/tcp.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace lockscope::tls {

class Stream
{
public:
    using Done = UniqueFunction<void(boost::system::error_code, std::size_t bytes)>;

    Stream(boost::asio::io_context& io, Security security);
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    // Done with TCP and, when it is secured, with the handshake: then the server is the one that was meant.
    void connect(const boost::asio::ip::tcp::endpoint& server, Done done);
    // One reading at a time; the space must stay. At the end of the connection the error is eof, whether the
    // server has said good-bye in TLS or not: what comes over it tells by itself whether it is whole.
    void readSome(std::span<char> space, Done done);
    // All of it, one writing at a time; the bytes must stay.
    void write(std::string_view bytes, Done done);
    void close();
    // Why the connection could not be secured, once an operation has failed; none: that was not the reason.
    const Failure& failure() const;

private:
    struct Impl;
    std::shared_ptr<Impl> m_impl; // operations under way keep it
};

} // namespace lockscope::tls
