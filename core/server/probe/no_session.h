// Why a server gives no session: asks it by other means, once. For an error text, when a session does not
// come about.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"

#include <functional>
#include <string>

namespace boost::asio {
class io_context;
}

namespace lockscope::server {

enum class NoSession {
    unreachable, // no connection to it
    silent,      // it accepts connections and answers nothing
    closes,      // it closes each connection without an answer
    foreign,     // it answers, but not as a ZooKeeper does
    tls,         // it answers as a TLS server does
    noQuorum,    // it is a ZooKeeper that does not serve requests
    slow,        // it is a ZooKeeper that serves: it may be overloaded
};

// `address`: a numeric HOST:PORT. Calls `done` once, on the thread of `io`, never inside this call: after
// twice `limit` at the latest.
void asyncWhyNoSession(boost::asio::io_context& io, const std::string& address, Duration limit,
                       std::function<void(NoSession)> done);

// The error (noServer) that says so, with what to do.
Error noSession(NoSession why, const std::string& address);

} // namespace lockscope::server
