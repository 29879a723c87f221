// Words with places for values, as data: English for a terminal, a key for who says it in another language.
// What can be said is a list of sources that its maker gives away, so that no translation is missing. Pure;
// any thread.
#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockscope::trace {

struct Phrase
{
    const char* source = nullptr; // "one every %1"; none: `text` as it is, the same in every language
    std::vector<Phrase> values{}; // of %1, %2, ...
    std::string text{};

    std::string english() const;
    bool empty() const { return !source && text.empty(); }
    bool operator==(const Phrase& other) const { return english() == other.english(); }
};

inline Phrase literal(std::string text) { return {nullptr, {}, std::move(text)}; }
std::string groupDigits(std::uint64_t count); // "1,200"
// Who has no name is called by its number, counted from 1: "client 3" for the id 2.
std::string defaultClientName(ClientId client);

} // namespace lockscope::trace
