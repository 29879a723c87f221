// What the servers of a trace script say of their watches.
#include "tests/support/script_player.h"
#include "tests/support/script_words.h"
#include "tests/support/trace_script.h"

#include <stdexcept>

namespace lockscope::tests {

using namespace script_words;
using namespace std::chrono_literals;

// '-': table NODE:CLIENT... [ANSWERED/SERVERS], asked half a millisecond ago and answered now; NODE:0x7 is a
// session of another client.
bool ScriptPlayer::asWatchTable(const std::string& what, const Words& args)
{
    if (what != "table")
        return false;
    std::uint32_t answered = 1, servers = 1;
    std::set<std::pair<std::string, SessionId>> now;
    for (const std::string& word : args) {
        if (const std::size_t slash = word.find('/'); slash != std::string::npos) {
            answered = static_cast<std::uint32_t>(number(word));
            servers = static_cast<std::uint32_t>(number(word.substr(slash + 1)));
            continue;
        }
        const std::size_t colon = word.find(':');
        if (colon == std::string::npos)
            throw std::invalid_argument("NODE:CLIENT was expected");
        const std::string who = word.substr(colon + 1);
        const bool foreign = who.starts_with("0x");
        now.emplace(scriptNode(word.substr(0, colon)),
                    foreign ? SessionId{number(who.substr(2))} : client(who).session);
    }
    for (const auto& [node, session] : m_watchTable)
        if (!now.contains({node, session}))
            run(trace::WatchVanished{node, session}, m_lock);
    for (const auto& [node, session] : now)
        if (!m_watchTable.contains({node, session}))
            run(trace::WatchSeen{node, session}, m_lock);
    run(trace::WatchesRead{500us, static_cast<std::uint32_t>(now.size()), answered, servers, {}});
    m_watchTable = std::move(now);
    return true;
}

} // namespace lockscope::tests
