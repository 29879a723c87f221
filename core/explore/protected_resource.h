// The data that the lock protects, as far as an order of steps can damage it: a counter. A holder reads it
// when it is granted the lock, and before it releases it writes what it has read, plus one. With a fence, the
// resource refuses a client with a token that is smaller than one it has seen. One thread.
#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace lockscope::explore {

struct ResourceUse
{
    std::uint32_t client = 0;
    enum class Kind : std::uint8_t { read, written, left } kind{}; // left: without a write
    Zxid token;
    bool refused = false;
    std::uint32_t value = 0;                    // read or written
    std::uint32_t writes = 0;                   // accepted so far: what the value should be
    std::optional<std::uint32_t> overwritten{}; // the client whose write is lost
    std::optional<Zxid> inside{};               // the token of another that has read and not written
};

class ProtectedResource
{
public:
    explicit ProtectedResource(bool fenced)
        : m_fenced(fenced)
    {}

    bool read(std::uint32_t client, Zxid token); // false: refused
    bool hasRead(std::uint32_t client) const { return m_readers.contains(client); }
    void leave(std::uint32_t client);
    ResourceUse write(std::uint32_t client); // of one that has read

    std::function<void(const ResourceUse&)> onUse{}; // called within each of these calls

    Message damage() const; // a sentence: what has become of the data
    // Appends what the answers to later calls depend on.
    void appendState(std::string& text) const;

private:
    struct Reader
    {
        Zxid token;
        std::uint32_t value = 0;
        bool outdated = false; // another has written since
    };
    bool refuses(Zxid token) const { return m_fenced && token < m_newest; }
    void tell(const ResourceUse& use);

    bool m_fenced;
    Zxid m_newest{0};
    std::uint32_t m_value = 0;
    std::uint32_t m_writes = 0;
    std::uint32_t m_lastWriter = 0;
    std::map<std::uint32_t, Reader> m_readers; // by client
    std::uint32_t m_refused = 0;
};

} // namespace lockscope::explore
