#include "core/server/probe/word_rounds.h"

#include <utility>

namespace lockscope::server {

WordRounds::WordRounds(boost::asio::io_context& io, std::vector<std::string> servers, tls::Security security)
    : m_io(io)
    , m_servers(std::move(servers))
    , m_security(std::move(security))
{}

void WordRounds::ask(const std::vector<std::string>& words, Duration limit, Answered answered,
                     std::function<void()> done)
{
    const auto open = std::make_shared<std::size_t>(1);
    const auto end = [open, done = std::move(done)] {
        if (--*open == 0)
            done();
    };
    for (std::size_t i = 0; i < m_servers.size(); ++i)
        for (const std::string& word : words) {
            if ((*m_refusals)[word].contains(i))
                continue;
            ++*open;
            asyncFourLetterWord(
                m_io, m_servers[i], word, limit,
                [refusals = m_refusals, answered, end, i, word,
                 server = m_servers[i]](const Result<std::string>& answer) {
                    if (!answer && isRefusal(answer.error()))
                        (*refusals)[word].emplace(i, answer.error());
                    answered(server, word, answer);
                    end();
                },
                m_security);
        }
    end();
}

std::optional<Error> WordRounds::refusal(const std::string& word) const
{
    const auto found = m_refusals->find(word);
    return found == m_refusals->end() || found->second.empty() ? std::nullopt
                                                               : std::optional(found->second.begin()->second);
}

bool WordRounds::isRefused(const std::string& word) const
{
    const auto found = m_refusals->find(word);
    return found != m_refusals->end() && found->second.size() == m_servers.size();
}

void WatchTables::take(const Result<std::string>& wchp)
{
    Result<WatchTable> table = wchp ? parseWatchTable(*wchp) : Result<WatchTable>(wchp.error());
    if (!table)
        return;
    ++answered;
    for (auto& [path, sessions] : *table)
        watches[path].insert(watches[path].end(), sessions.begin(), sessions.end());
}

} // namespace lockscope::server
