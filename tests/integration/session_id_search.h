// The real ids of the sessions of a server, and a search for them in what was written, in whatever digits.
#pragma once

#include "core/server/probe/four_letter.h"

#include <array>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace lockscope::test {

inline std::set<SessionId> watchingSessions(const std::string& address)
{
    std::set<SessionId> sessions;
    const auto answer = server::sendFourLetterWord(address, "wchp", std::chrono::seconds(10));
    const auto table = answer ? server::parseWatchTable(*answer) : Result<server::WatchTable>(answer.error());
    if (table)
        for (const auto& [path, watching] : *table)
            sessions.insert(watching.begin(), watching.end());
    return sessions;
}

inline std::string readAll(const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline std::string hexOf(SessionId session)
{
    std::array<char, 20> digits{};
    std::snprintf(digits.data(), digits.size(), "%llx", static_cast<unsigned long long>(session.value));
    return digits.data();
}

// Those that these bytes have, in hexadecimal digits: of each only once.
inline std::vector<std::string> realIdsIn(const std::string& bytes, const std::set<SessionId>& sessions)
{
    std::vector<std::string> found;
    for (const SessionId session : sessions) {
        const std::string hex = hexOf(session);
        std::string upper = hex;
        for (char& digit : upper)
            digit = static_cast<char>(std::toupper(static_cast<unsigned char>(digit)));
        const auto has = [&](const std::string& text) { return bytes.find(text) != std::string::npos; };
        if (has(hex) || has(upper) || has(std::to_string(session.value)) ||
            has(std::to_string(static_cast<std::uint64_t>(session.value))))
            found.push_back(hex);
    }
    return found;
}

} // namespace lockscope::test
