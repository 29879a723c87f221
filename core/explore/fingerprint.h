// 128 bits that stand for a text, and for a sequence of texts. Plain values; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::explore {

struct Fingerprint
{
    std::uint64_t high = 0x243F6A8885A308D3ULL;
    std::uint64_t low = 0x13198A2E03707344ULL;

    void add(std::uint64_t number);
    void add(std::string_view text);
    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

// The random part of a node's name is another one in each run; what stands for it is the request that first
// used it, which is the same in each run.
class NodeNames
{
public:
    // Of a create: its path, and the number of its request in all sessions.
    void learn(std::string_view path, std::uint64_t request);
    void add(Fingerprint& to, std::string_view text) const; // a text with any number of names in it

private:
    std::vector<std::pair<std::string, std::uint64_t>> m_known; // by the random part
};

} // namespace lockscope::explore
