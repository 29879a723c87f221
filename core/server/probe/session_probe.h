// Whether a server accepts sessions, and why not. Needs no client library. `address`: a numeric HOST:PORT.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"
#include "core/tls/failure.h"
#include "core/tls/tls.h"

#include <functional>
#include <string>

namespace boost::asio {
class io_context;
}

namespace lockscope::server {

// Makes a session by a ZooKeeper handshake over a plain socket, and closes it in order. Any thread; blocks
// until the deadline at the latest. Error: noServer when there was no session by the deadline, closed when
// the server closed the connection.
Result<void> probeSession(const std::string& address, MonotonicTime deadline);

// True if the server closes a connection before a byte was sent on it, as a ZooKeeper does when its limit of
// connections from one address is reached. Any thread, blocks for `limit` at most.
bool closesConnectionsAtOnce(const std::string& address, Duration limit);

enum class NoSession {
    unreachable, // no connection to it
    silent,      // it accepts connections and answers nothing
    closes,      // it closes each connection without an answer
    foreign,     // it answers, but not as a ZooKeeper does
    tls,         // it answers as a TLS server does, and was spoken to in plain text
    plain,       // it answers in plain text, and was to speak TLS
    unsecured,   // the connection could not be secured: see tls::Failure
    noQuorum,    // it is a ZooKeeper that does not serve requests
    slow,        // it is a ZooKeeper that serves: it may be overloaded
};

// Asks the server by other means, once, for an error text. Calls `done` once, on the thread of `io`, never
// inside this call: after twice `limit` at the latest.
struct WhyNoSession
{
    NoSession what{};
    tls::Failure failure{}; // of unsecured
};
void asyncWhyNoSession(boost::asio::io_context& io, const std::string& address, const tls::Security& security,
                       Duration limit, std::function<void(const WhyNoSession&)> done);

// The error (noServer) that says so, with what to do. `host`: whose certificate was expected.
Error noSession(const WhyNoSession& why, const std::string& address, const std::string& host = {});

} // namespace lockscope::server
