#include "core/engine/session_key.h"

#include <boost/endian/conversion.hpp>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <random>

namespace lockscope::engine {

namespace {

constexpr std::size_t kRandomBytes = 32;
constexpr std::size_t kMinKeyBytes = 16;
constexpr std::size_t kMaxKeyBytes = 4096;

std::string randomKey()
{
    std::random_device device; // the kernel's
    std::string key;
    while (key.size() < kRandomBytes)
        key += static_cast<char>(device() & 0xff);
    return key;
}

} // namespace

SessionKey::SessionKey(std::string key)
    : m_key(key.empty() ? randomKey() : std::move(key))
{}

SessionId SessionKey::of(SessionId real) const
{
    if (!real.valid() || real.value == 0)
        return real;
    std::array<unsigned char, 8> message{};
    boost::endian::store_big_s64(message.data(), real.value);
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    HMAC(EVP_sha256(), m_key.data(), static_cast<int>(m_key.size()), message.data(), message.size(),
         digest.data(), &length);
    const SessionId name{boost::endian::load_big_s64(digest.data())};
    return name.valid() && name.value != 0 ? name
                                           : SessionId{1}; // 0 and the invalid value stand for no session
}

Result<std::string> readSessionKey(const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    std::string key(kMaxKeyBytes + 1, '\0');
    in.read(key.data(), static_cast<std::streamsize>(key.size()));
    key.resize(static_cast<std::size_t>(in.gcount()));
    if (in.bad() || (key.empty() && !in.is_open()))
        return Error{ErrorCode::ioFailed,
                     message("The key file %1 cannot be read: %2.", file, std::strerror(errno)),
                     {}};
    if (key.size() < kMinKeyBytes || key.size() > kMaxKeyBytes)
        return Error{ErrorCode::badUsage, message("The key file %1 must contain 16 to 4096 bytes.", file),
                     message("Make one of 32 random bytes: head -c 32 /dev/urandom > %1.", file)};
    return key;
}

} // namespace lockscope::engine
