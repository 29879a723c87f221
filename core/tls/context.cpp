#include "core/tls/context.h"

#include "core/base/system_message.h"

#include <boost/asio/ip/address.hpp>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <cerrno>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>

namespace lockscope::tls {

namespace {

template <auto Free>
struct Freed
{
    template <class T>
    void operator()(T* object) const
    {
        Free(object);
    }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Bio = std::unique_ptr<BIO, Freed<BIO_free>>;

std::string wordOf(unsigned long error)
{
    const char* const word = ERR_reason_error_string(error);
    return word ? word : "unknown error";
}

// OpenSSL's own words for a file that cannot be opened say nothing of the reason.
std::optional<Error> unreadable(const std::string& file)
{
    errno = 0;
    std::ifstream in(file);
    if (in && in.peek() != std::ifstream::traits_type::eof())
        return std::nullopt;
    return Error{ErrorCode::badUsage,
                 errno != 0 ? message("The file %1 cannot be read: %2.", file, systemMessage(errno))
                            : message("The file %1 is empty.", file),
                 {}};
}

Error noCertificate(const std::string& file)
{
    return Error{ErrorCode::badUsage,
                 message("The certificate in %1 cannot be used: %2.", file, wordOf(ERR_peek_last_error())),
                 message("Expected one in PEM, which begins with -----BEGIN CERTIFICATE-----.")};
}

// No user can be asked for a password, and OpenSSL would ask at the terminal.
int noPassword(char*, int, int, void* asked)
{
    if (asked)
        *static_cast<bool*>(asked) = true;
    return -1;
}

Result<Key> readKey(const std::string& file)
{
    const Bio in(BIO_new_file(file.c_str(), "r"));
    bool encrypted = false;
    Key key(in ? PEM_read_bio_PrivateKey(in.get(), nullptr, &noPassword, &encrypted) : nullptr);
    if (key)
        return key;
    if (encrypted)
        return Error{ErrorCode::badUsage, message("The key in %1 is encrypted.", file),
                     message("Give one without a password, in a file that only you can read: %1",
                             "openssl pkey -in " + file + " -out KEY.pem")};
    return Error{ErrorCode::badUsage, message("There is no private key in %1.", file),
                 message("Expected one in PEM, which begins with -----BEGIN PRIVATE KEY-----.")};
}

Fault faultOfCertificate(long verdict)
{
    switch (verdict) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
        return Fault::wrongHost;
    case X509_V_ERR_CERT_HAS_EXPIRED:
        return Fault::expired;
    case X509_V_ERR_CERT_NOT_YET_VALID:
        return Fault::notYetValid;
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE: // of an authority with the same name
    case X509_V_ERR_CERT_UNTRUSTED:
        return Fault::unknownAuthority;
    default:
        return Fault::notAccepted;
    }
}

Fault faultOfReason(int reason, bool hasCertificate)
{
    switch (reason) {
    // Java answers a missing certificate with bad_certificate, others with certificate_required.
    case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED:
    case SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE:
    case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
    case SSL_R_TLSV1_ALERT_ACCESS_DENIED:
    case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
        return hasCertificate ? Fault::certificateRefused : Fault::certificateMissing;
    case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:
    case SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
    case SSL_R_TLSV1_ALERT_INSUFFICIENT_SECURITY:
    case SSL_R_UNSUPPORTED_PROTOCOL:
        return Fault::nothingInCommon;
    case SSL_R_WRONG_VERSION_NUMBER:
    case SSL_R_HTTP_REQUEST:
    case SSL_R_UNKNOWN_PROTOCOL:
        return Fault::notTls;
    case SSL_R_UNEXPECTED_EOF_WHILE_READING:
        return Fault::closed;
    default:
        return Fault::other;
    }
}

} // namespace

Result<ContextPtr> load(const Options& options) { return Context::load(options); }

std::string Security::hostOf(const std::string& address) const
{
    if (const auto named = names.find(address); named != names.end())
        return named->second;
    const std::string host = address.substr(0, address.rfind(':'));
    return host.starts_with('[') && host.ends_with(']') ? host.substr(1, host.size() - 2) : host;
}

Context::Context(const Options& options)
    : m_context(boost::asio::ssl::context::tls_client)
    , m_checksHostName(options.checkHostName)
    , m_hasCertificate(!options.certificate.empty())
{
    SSL_CTX* const context = m_context.native_handle();
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                  SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_default_passwd_cb(context, &noPassword);
}

Result<void> Context::loadAuthorities(const std::string& file)
{
    SSL_CTX* const context = m_context.native_handle();
    if (file.empty()) {
        SSL_CTX_set_default_verify_paths(context); // without any, no certificate is trusted
        return {};
    }
    if (const auto error = unreadable(file))
        return *error;
    if (SSL_CTX_load_verify_file(context, file.c_str()) != 1)
        return noCertificate(file);
    return {};
}

Result<void> Context::loadOurs(const std::string& certificate, const std::string& key)
{
    if (certificate.empty() && key.empty())
        return {};
    if (certificate.empty())
        return Error{ErrorCode::badUsage, message("A key was given (%1), but no certificate.", key),
                     message("Give the certificate with --cert.")};
    const std::string& keyFile = key.empty() ? certificate : key;
    for (const std::string& file : {certificate, keyFile})
        if (const auto error = unreadable(file))
            return *error;
    SSL_CTX* const context = m_context.native_handle();
    if (SSL_CTX_use_certificate_chain_file(context, certificate.c_str()) != 1)
        return noCertificate(certificate);
    const Result<Key> ours = readKey(keyFile);
    if (!ours)
        return ours.error();
    if (SSL_CTX_use_PrivateKey(context, ours->get()) != 1)
        return Error{ErrorCode::badUsage,
                     message("The key in %1 does not belong to the certificate in %2.", keyFile, certificate),
                     message("Give the two that were made for each other.")};
    return {};
}

Result<ContextPtr> Context::load(const Options& options)
{
    ERR_clear_error();
    const std::shared_ptr<Context> context(new Context(options));
    Result<void> loaded = context->loadAuthorities(options.ca);
    if (loaded)
        loaded = context->loadOurs(options.certificate, options.key);
    ERR_clear_error();
    if (!loaded)
        return loaded.error();
    return ContextPtr(context);
}

bool Context::prepare(SSL* connection, const std::string& host) const
{
    if (host.empty() || host.find('\0') != std::string::npos)
        return false;
    boost::system::error_code noNumber;
    boost::asio::ip::make_address(host, noNumber);
    if (noNumber && SSL_ctrl(connection, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                             const_cast<char*>(host.c_str())) != 1) // SSL_set_tlsext_host_name(): it copies
        return false;
    if (!m_checksHostName)
        return true;
    X509_VERIFY_PARAM* const rules = SSL_get0_param(connection);
    X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS |
                                               X509_CHECK_FLAG_NEVER_CHECK_SUBJECT); // as RFC 9525
    return (noNumber ? X509_VERIFY_PARAM_set1_host(rules, host.data(), host.size())
                     : X509_VERIFY_PARAM_set1_ip_asc(rules, host.c_str())) == 1;
}

Failure Context::failureOf(const SSL* connection, unsigned long error) const
{
    if (error == 0)
        return {Fault::closed, "closed"};
    if (ERR_GET_LIB(error) == ERR_LIB_SSL && ERR_GET_REASON(error) == SSL_R_CERTIFICATE_VERIFY_FAILED) {
        const long verdict = SSL_get_verify_result(connection);
        return {faultOfCertificate(verdict), X509_verify_cert_error_string(verdict)};
    }
    if (ERR_GET_LIB(error) != ERR_LIB_SSL)
        return {Fault::other, wordOf(error)};
    // Before TLS 1.3 some servers have no other alert for a missing certificate; they have shown theirs by
    // then.
    const bool late = SSL_get0_peer_certificate(connection) != nullptr;
    const int reason = ERR_GET_REASON(error);
    return {faultOfReason(late && reason == SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE
                              ? SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED
                              : reason,
                          m_hasCertificate),
            wordOf(error)};
}

} // namespace lockscope::tls
