// Random (version 4) UUIDs as text, 36 characters, for protected creates. One generator per thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace lockscope {

class GuidSource
{
public:
    GuidSource(); // seeded by the operating system
    explicit GuidSource(std::uint64_t seed); // for deterministic runs
    ~GuidSource();
    std::string next();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope
