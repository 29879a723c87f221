// Pseudonyms of sessions: the first 8 bytes of HMAC-SHA-256 of the id (8 bytes, big-endian) under a key. The
// same key gives the same pseudonyms, so that several files can be joined. Immutable; any thread.
#pragma once

#include "core/base/error.h"
#include "core/trace/session_names.h"

#include <string>

namespace lockscope::engine {

class SessionKey final : public trace::SessionNames
{
public:
    explicit SessionKey(std::string key); // empty: a random one
    SessionId of(SessionId real) const override;

private:
    std::string m_key;
};

// The bytes of a key file. ioFailed when it cannot be read, badUsage when it has fewer than 16 or more than
// 4096 bytes.
Result<std::string> readSessionKey(const std::string& file);

} // namespace lockscope::engine
