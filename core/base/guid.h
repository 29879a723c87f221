// Random (version 4) UUIDs as text, 36 characters, for protected creates. One generator per thread.
#pragma once

#include "core/base/random.h"

#include <cstdint>
#include <string>

namespace lockscope {

class GuidSource
{
public:
    GuidSource();                            // seeded by the operating system
    explicit GuidSource(std::uint64_t seed); // for deterministic runs
    GuidSource(const GuidSource&) = delete;  // a copy would return the same UUIDs
    GuidSource& operator=(const GuidSource&) = delete;
    std::string next();

private:
    Random m_random;
};

} // namespace lockscope
