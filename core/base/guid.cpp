#include "core/base/guid.h"

#include <boost/uuid/uuid.hpp>
#include <boost/uuid/uuid_io.hpp>

#include <cstring>
#include <random>

namespace lockscope {

namespace {
std::uint64_t systemSeed()
{
    thread_local std::random_device device; // its construction takes longer than a whole acquire
    return (static_cast<std::uint64_t>(device()) << 32) | device();
}
} // namespace

GuidSource::GuidSource()
    : GuidSource(systemSeed())
{}
GuidSource::GuidSource(std::uint64_t seed)
    : m_random(seed)
{}

std::string GuidSource::next()
{
    boost::uuids::uuid id;
    const std::uint64_t high = m_random.next();
    const std::uint64_t low = m_random.next();
    std::memcpy(id.data, &high, sizeof high);
    std::memcpy(id.data + sizeof high, &low, sizeof low);
    id.data[6] = static_cast<std::uint8_t>((id.data[6] & 0x0F) | 0x40); // version 4 (RFC 4122)
    id.data[8] = static_cast<std::uint8_t>((id.data[8] & 0x3F) | 0x80);
    return boost::uuids::to_string(id);
}

} // namespace lockscope
