// Jute, the encoding of ZooKeeper's wire protocol, transaction log and snapshots: big-endian numbers;
// strings, buffers and vectors are preceded by an int32 length or count, -1 for null. Plain values; any
// thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace lockscope::jute {

inline std::int32_t loadInt32(const char* bytes)
{
    std::uint32_t value = 0;
    std::memcpy(&value, bytes, sizeof value);
    if constexpr (std::endian::native == std::endian::little)
        value = __builtin_bswap32(value);
    return static_cast<std::int32_t>(value);
}

inline std::int64_t loadInt64(const char* bytes)
{
    std::uint64_t value = 0;
    std::memcpy(&value, bytes, sizeof value);
    if constexpr (std::endian::native == std::endian::little)
        value = __builtin_bswap64(value);
    return static_cast<std::int64_t>(value);
}

// Reads consecutive fields from bytes that must outlive it. The first field that does not fit fails the
// reader: from then on ok() is false and every field reads as 0 or empty.
class Reader
{
public:
    explicit Reader(std::string_view bytes)
        : m_bytes(bytes)
    {}

    std::int32_t int32() { return take(4) ? loadInt32(m_taken) : 0; }
    std::int64_t int64() { return take(8) ? loadInt64(m_taken) : 0; }
    bool boolean() { return take(1) && *m_taken != 0; }
    // A string or a buffer; null reads as empty. The result points into the bytes of the reader.
    std::string_view buffer()
    {
        const std::int32_t length = int32();
        if (length < -1)
            m_ok = false;
        const std::size_t size = length > 0 ? static_cast<std::size_t>(length) : 0;
        return take(size) ? std::string_view(m_taken, size) : std::string_view();
    }
    // The number of elements of a vector, each of at least `minBytes` (not 0); null reads as 0. Fails the
    // reader when the remaining bytes cannot hold so many elements.
    std::size_t count(std::size_t minBytes)
    {
        const std::int32_t elements = int32();
        if (elements < -1 || (elements > 0 && static_cast<std::size_t>(elements) > m_bytes.size() / minBytes))
            m_ok = false;
        return m_ok && elements > 0 ? static_cast<std::size_t>(elements) : 0;
    }

    bool ok() const { return m_ok; }
    std::string_view rest() const { return m_ok ? m_bytes : std::string_view(); }

private:
    bool take(std::size_t size)
    {
        if (!m_ok || size > m_bytes.size()) {
            m_ok = false;
            return false;
        }
        m_taken = m_bytes.data();
        m_bytes.remove_prefix(size);
        return true;
    }

    std::string_view m_bytes;
    const char* m_taken = nullptr;
    bool m_ok = true;
};

// Appends fields to a string.
class Writer
{
public:
    Writer& int32(std::int32_t value) { return number(static_cast<std::uint32_t>(value), 4); }
    Writer& int64(std::int64_t value) { return number(static_cast<std::uint64_t>(value), 8); }
    Writer& boolean(bool value) { return number(value ? 1 : 0, 1); }
    Writer& buffer(std::string_view value)
    {
        int32(static_cast<std::int32_t>(value.size()));
        m_bytes += value;
        return *this;
    }
    Writer& raw(std::string_view bytes)
    {
        m_bytes += bytes;
        return *this;
    }
    const std::string& bytes() const { return m_bytes; }
    std::string framed() const { return Writer().buffer(m_bytes).m_bytes; } // preceded by their length

private:
    Writer& number(std::uint64_t value, int size)
    {
        for (int shift = 8 * (size - 1); shift >= 0; shift -= 8)
            m_bytes += static_cast<char>(value >> shift & 0xff);
        return *this;
    }
    std::string m_bytes;
};

} // namespace lockscope::jute
