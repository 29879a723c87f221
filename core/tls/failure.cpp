#include "core/tls/failure.h"

namespace lockscope::tls {

namespace {

struct Said
{
    Message what, remedy;
};

Said say(const Failure& failure, const std::string& address, const std::string& host)
{
    switch (failure.fault) {
    case Fault::wrongHost:
        return {
            message("The certificate of the server at %1 is for another host than %2.", address, host),
            message("Connect by a name or an address that the certificate has, or have it issued for this "
                    "one (subjectAltName).")};
    case Fault::expired:
        return {message("The certificate of the server at %1 has expired.", address),
                message("Have it renewed, or check the clock of this computer.")};
    case Fault::notYetValid:
        return {message("The certificate of the server at %1 is not valid yet.", address),
                message("Check the clocks of the server and of this computer.")};
    case Fault::unknownAuthority:
        return {message("The certificate of the server at %1 is from an authority that is not trusted here.",
                        address),
                message("Give the authority's certificate with --ca.")};
    case Fault::notAccepted:
        return {
            message("The certificate of the server at %1 cannot be accepted: %2.", address, failure.detail),
            message("Have it issued anew, for a TLS server.")};
    case Fault::certificateMissing:
        return {
            message("The server at %1 demands a certificate of its clients, and none was given.", address),
            message("Give one with --cert, and its key with --key.")};
    case Fault::certificateRefused:
        return {message("The server at %1 refuses our certificate.", address),
                message("It must be valid, and from an authority in the server's trust store "
                        "(ssl.trustStore.location).")};
    case Fault::notTls:
        return {message("The server at %1 does not speak TLS.", address),
                message("Connect to its secureClientPort, or without TLS.")};
    case Fault::closed:
        return {message("The server at %1 closes the connection instead of answering the TLS handshake.",
                        address),
                message("Check that this is its secureClientPort.")};
    case Fault::nothingInCommon:
        return {
            message("The server at %1 has no version of TLS or cipher in common with LockScope, which speaks "
                    "TLS 1.2 and 1.3.",
                    address),
            message("Set ssl.enabledProtocols and ssl.ciphersuites in its zoo.cfg.")};
    case Fault::none:
    case Fault::other:
        break;
    }
    return {message("The connection to the server at %1 cannot be secured: %2.", address, failure.detail),
            {}};
}

} // namespace

Error describe(const Failure& failure, const std::string& address, const std::string& host)
{
    Said said = say(failure, address, host);
    return Error{ErrorCode::noServer, std::move(said.what), std::move(said.remedy)};
}

} // namespace lockscope::tls
