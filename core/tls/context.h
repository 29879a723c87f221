// What all TLS connections of one user have in common: the authorities, our certificate, the rules. The only
// place where they are set, for connections of Boost.Asio and of a plain socket alike. Any thread, once
// loaded.
#pragma once

#include "core/tls/failure.h"
#include "core/tls/tls.h"

#include <boost/asio/ssl/context.hpp>

#include <string>

namespace lockscope::tls {

class Context
{
public:
    static Result<ContextPtr> load(const Options& options);

    // Makes a new connection demand a certificate for this host (a name or a number, never empty), and name
    // it to the server (SNI). False: not possible, and the connection must not be used.
    bool prepare(SSL* connection, const std::string& host) const;
    // `error`: of OpenSSL's queue, after a call failed on this connection; 0: it was closed.
    Failure failureOf(const SSL* connection, unsigned long error) const;
    boost::asio::ssl::context& asio() const
    {
        return m_context;
    } // its functions that change it are not called

private:
    explicit Context(const Options& options);
    Result<void> loadAuthorities(const std::string& file);
    Result<void> loadOurs(const std::string& certificate, const std::string& key);

    mutable boost::asio::ssl::context m_context;
    const bool m_checksHostName;
    const bool m_hasCertificate;
};

} // namespace lockscope::tls
