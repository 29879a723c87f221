// Why a connection could not be secured, and what to do. Plain values; any thread.
#pragma once

#include "core/base/error.h"

#include <string>

namespace lockscope::tls {

enum class Fault {
    none,
    // the server's certificate
    wrongHost,
    expired,
    notYetValid,
    unknownAuthority,
    notAccepted, // for another reason: see Failure::detail
    // ours
    certificateMissing, // the server demands one, and we have none
    certificateRefused,
    // the other side
    notTls,
    closed, // it closed the connection during the handshake
    nothingInCommon,
    other,
};

struct Failure
{
    Fault fault = Fault::none;
    std::string detail{}; // OpenSSL's word for it
};

// The sentence and the remedy (noServer). `host`: whose certificate was expected.
Error describe(const Failure& failure, const std::string& address, const std::string& host);

} // namespace lockscope::tls
