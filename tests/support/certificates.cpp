#include "tests/support/certificates.h"

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <fstream>
#include <stdexcept>

namespace lockscope::tests {

namespace {

void require(bool done)
{
    if (!done)
        throw std::runtime_error("OpenSSL cannot make a certificate");
}

EVP_PKEY* newKey()
{
    EVP_PKEY* const key = EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256");
    require(key != nullptr);
    return key;
}

void extend(X509* certificate, int kind, const std::string& value)
{
    X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str());
    require(extension && X509_add_ext(certificate, extension, -1) == 1);
    X509_EXTENSION_free(extension);
}

std::string contentOf(BIO* memory)
{
    char* data = nullptr;
    const auto size = BIO_ctrl(memory, BIO_CTRL_INFO, 0, &data);
    return {data, static_cast<std::size_t>(size)};
}

std::string pemOf(X509* certificate)
{
    const std::unique_ptr<BIO, decltype(&BIO_free)> memory(BIO_new(BIO_s_mem()), &BIO_free);
    require(PEM_write_bio_X509(memory.get(), certificate) == 1);
    return contentOf(memory.get());
}

std::string pemOf(EVP_PKEY* key, const std::string& password)
{
    const std::unique_ptr<BIO, decltype(&BIO_free)> memory(BIO_new(BIO_s_mem()), &BIO_free);
    require(PEM_write_bio_PKCS8PrivateKey(memory.get(), key, password.empty() ? nullptr : EVP_aes_128_cbc(),
                                          password.empty() ? nullptr : password.c_str(),
                                          static_cast<int>(password.size()), nullptr, nullptr) == 1);
    return contentOf(memory.get());
}

} // namespace

Authority::Authority(const std::string& name)
    : m_key(newKey())
{
    m_own = make(m_key.get(), {.name = name, .hosts = {}}, true);
    file("ca.pem", pemOf(m_own.get()));
}

Authority::Certificate Authority::make(EVP_PKEY* key, const Wanted& wanted, bool isAuthority)
{
    Certificate made(X509_new());
    X509* const it = made.get();
    X509_NAME* const subject = X509_get_subject_name(it);
    require(X509_set_version(it, 2) == 1 && ASN1_INTEGER_set(X509_get_serialNumber(it), ++m_issued) == 1 &&
            X509_gmtime_adj(X509_getm_notBefore(it), wanted.from.count()) &&
            X509_gmtime_adj(X509_getm_notAfter(it), wanted.until.count()) &&
            X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                                       reinterpret_cast<const unsigned char*>(wanted.name.c_str()), -1, -1,
                                       0) == 1 &&
            X509_set_issuer_name(it, m_own ? X509_get_subject_name(m_own.get()) : subject) == 1 &&
            X509_set_pubkey(it, key) == 1);
    if (isAuthority)
        extend(it, NID_basic_constraints, "critical,CA:TRUE");
    if (!wanted.hosts.empty())
        extend(it, NID_subject_alt_name, wanted.hosts);
    require(X509_sign(it, m_key.get(), EVP_sha256()) > 0);
    return made;
}

std::string Authority::issue(const Wanted& wanted)
{
    const Key key(newKey());
    const Certificate made = make(key.get(), wanted, false);
    return file(std::to_string(m_issued) + ".pem", pemOf(key.get(), wanted.password) + pemOf(made.get()));
}

std::string Authority::file(const std::string& name, const std::string& text)
{
    const std::string path = (m_folder / name.c_str()).string();
    std::ofstream(path) << text;
    return path;
}

} // namespace lockscope::tests
