// Certificates for tests, made when they are needed: files in PEM, in a folder that goes with the authority.
// Any thread.
#pragma once

#include "tests/support/temp_folder.h"

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <chrono>
#include <memory>
#include <string>

namespace lockscope::tests {

class Authority
{
public:
    struct Wanted
    {
        std::string name;                                    // its subject is CN=name
        std::string hosts = "DNS:localhost,IP:127.0.0.1";    // empty: none
        std::chrono::seconds from = -std::chrono::hours(1);  // from now
        std::chrono::seconds until = std::chrono::hours(48); // from now
        std::string password{};                              // of its key; empty: not encrypted
    };

    explicit Authority(const std::string& name);
    std::string certificate() const { return (m_folder / "ca.pem").string(); }
    // The name of a file with the key and the certificate.
    std::string issue(const Wanted& wanted);
    // A file of the folder with this text.
    std::string file(const std::string& name, const std::string& text);
    const TempFolder& folder() const { return m_folder; }

private:
    struct Free
    {
        void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
        void operator()(X509* certificate) const { X509_free(certificate); }
    };
    using Key = std::unique_ptr<EVP_PKEY, Free>;
    using Certificate = std::unique_ptr<X509, Free>;
    Certificate make(EVP_PKEY* key, const Wanted& wanted, bool isAuthority);

    TempFolder m_folder;
    Key m_key;
    Certificate m_own;
    int m_issued = 0;
};

} // namespace lockscope::tests
