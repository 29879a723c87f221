// SASL, by which a client proves to ZooKeeper who it is: what a user gives, the exchange of tokens by Cyrus
// SASL, and why one failed. No password is in an error.
#pragma once

#include "core/base/error.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lockscope::zk::wire {

enum class SaslMechanism { digestMd5, gssapi };

struct SaslOptions
{
    std::optional<SaslMechanism> mechanism{}; // none: no SASL
    std::string file{};                       // for digestMd5: its first line is USER:PASSWORD
    std::string service = "zookeeper";        // for gssapi: of the servers' principals SERVICE/HOST@REALM
};

struct SaslMechanismName
{
    SaslMechanism mechanism;
    const char* option;  // on the command line
    const char* name;    // of SASL
    const char* package; // of Debian
};
std::span<const SaslMechanismName> saslMechanisms();
const SaslMechanismName& nameOf(SaslMechanism mechanism);
std::optional<SaslMechanism> saslMechanismFrom(std::string_view option);
// Whether the file is there and what it must be. Errors: badUsage, badInput.
Result<void> checkSasl(const SaslOptions& options);

// The client's side of one exchange. One thread at a time, any.
class SaslExchange
{
public:
    SaslExchange(SaslOptions options, std::string host); // `host`: as the user has named the server
    ~SaslExchange();
    SaslExchange(const SaslExchange&) = delete;
    SaslExchange& operator=(const SaslExchange&) = delete;

    struct Step
    {
        std::optional<std::string> token{}; // to be sent
        bool complete = false;              // what the server says to it is whether it agrees
    };
    // The first call begins, with an empty challenge. May block for a minute, while Kerberos asks its KDC;
    // the file is read anew for each exchange. Errors: noAuth, noServer (no KDC), badUsage, badInput.
    Result<Step> next(std::string_view challenge);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

// What a server does to an exchange.
enum class SaslFault {
    pending, // nothing yet: it is our side that does not answer
    absent,  // it has no SASL
    refusedFirst,
    refused,
    violated,   // it sends what no exchange is
    unanswered, // it says nothing, or ends the connection
};
Error describe(SaslFault fault, const SaslOptions& options, const std::string& server,
               const std::string& host);

} // namespace lockscope::zk::wire
