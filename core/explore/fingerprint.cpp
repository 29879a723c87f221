#include "core/explore/fingerprint.h"

#include <algorithm>
#include <cstring>

namespace lockscope::explore {

namespace {

constexpr std::string_view kProtection = "_c_";
constexpr std::size_t kRandomPart = 36;

// The finalizer of splitmix64.
std::uint64_t stirred(std::uint64_t value)
{
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31);
}

} // namespace

void Fingerprint::add(std::uint64_t number)
{
    high = stirred(high ^ number) + low;
    low = stirred(low + number * 0x9E3779B97F4A7C15ULL) ^ (high >> 7);
}

void Fingerprint::add(std::string_view text)
{
    add(text.size());
    for (; !text.empty(); text.remove_prefix(std::min(text.size(), sizeof(std::uint64_t)))) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data(), std::min(text.size(), sizeof word));
        add(word);
    }
}

void NodeNames::learn(std::string_view path, std::uint64_t request)
{
    const std::size_t at = path.find(kProtection);
    if (at == std::string_view::npos)
        return;
    const std::string_view random = path.substr(at + kProtection.size(), kRandomPart);
    if (std::ranges::none_of(m_known, [&](const auto& known) { return known.first == random; }))
        m_known.emplace_back(random, request);
}

void NodeNames::add(Fingerprint& to, std::string_view text) const
{
    for (std::size_t at = text.find(kProtection); at != std::string_view::npos; at = text.find(kProtection)) {
        to.add(text.substr(0, at));
        text.remove_prefix(at + kProtection.size());
        const std::string_view random = text.substr(0, kRandomPart);
        const auto known =
            std::ranges::find(m_known, random, [](const auto& one) { return std::string_view(one.first); });
        if (known == m_known.end())
            to.add(random);
        else
            to.add(known->second);
        text.remove_prefix(random.size());
    }
    to.add(text);
}

} // namespace lockscope::explore
