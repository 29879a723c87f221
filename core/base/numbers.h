// Numbers as text. Pure; any thread.
#pragma once

#include "core/base/ids.h"

#include <array>
#include <charconv>
#include <string>

namespace lockscope {

// "0x1f3"
template <class Tag>
std::string hexText(base::StrongId<Tag, std::int64_t> id)
{
    std::array<char, 16> digits{};
    const auto number = static_cast<std::uint64_t>(id.value);
    return "0x" + std::string(digits.data(),
                              std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr);
}

} // namespace lockscope
