#include "core/field/session_poller.h"

#include "core/field/wall_clock.h"

#include <algorithm>
#include <utility>

namespace lockscope::field {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kPause = seconds(2);
constexpr Duration kPauseOfWatches = seconds(2);
constexpr Duration kLimit = seconds(2);
constexpr Duration kForgetAfter = std::chrono::minutes(2);

} // namespace

server::WatchTable belowChroot(server::WatchTable watches, const std::string& chroot)
{
    if (chroot.empty())
        return watches;
    server::WatchTable below;
    for (auto& [path, watchers] : watches)
        if (path == chroot)
            below["/"] = std::move(watchers);
        else if (path.starts_with(chroot) && path[chroot.size()] == '/')
            below[path.substr(chroot.size())] = std::move(watchers);
    return below;
}

struct SessionPoller::Round
{
    MonotonicTime begun{};
    std::size_t consAnswers = 0;
    std::vector<std::pair<std::string, std::vector<ConnectionLine>>> connections; // by server
    std::optional<SessionDump> dump;
    server::WatchTables watches;
};

SessionPoller::SessionPoller(Setup setup)
    : m_setup(std::move(setup))
    , m_words(m_setup.io, m_setup.servers, m_setup.security)
{}

void SessionPoller::stop() { m_stopped = true; }

bool SessionPoller::canPoll() const { return !m_words.isRefused("cons") || !m_words.isRefused("dump"); }

void SessionPoller::pollSoon()
{
    if (m_stopped || m_planned || !canPoll())
        return;
    if (m_asking) {
        m_again = true;
        return;
    }
    m_planned = true;
    const MonotonicTime next = m_rounds == 0 ? MonotonicTime{} : std::max(m_lastBegun + kPause, m_preferred);
    const Duration wait = next - m_setup.scheduler.now();
    m_setup.scheduler.after(std::max(wait, Duration{}), [weak = weak_from_this()] {
        if (const auto self = weak.lock(); self && !self->m_stopped)
            self->begin();
    });
}

void SessionPoller::begin()
{
    m_planned = false;
    m_asking = true;
    ++m_rounds;
    const auto round = std::make_shared<Round>();
    round->begun = m_lastBegun = m_setup.scheduler.now();
    std::vector<std::string> words{"cons", "dump"};
    if (m_wantsWatches && round->begun >= m_watchesAsked + kPauseOfWatches) {
        m_watchesAsked = round->begun;
        words.push_back("wchp");
    }
    m_words.ask(
        words, kLimit,
        [weak = weak_from_this(), round](const std::string& server, const std::string& word,
                                         const Result<std::string>& answer) {
            if (const auto self = weak.lock())
                self->take(*round, server, word, answer);
        },
        [weak = weak_from_this(), round] {
            if (const auto self = weak.lock(); self && !self->m_stopped)
                self->end(*round);
        });
}

void SessionPoller::take(Round& round, const std::string& server, const std::string& word,
                         const Result<std::string>& answer)
{
    if (!answer && server::isRefusal(answer.error()) && m_setup.refused && !m_stopped &&
        m_reportedWords.insert(word).second)
        m_setup.refused(answer.error());
    if (word == "wchp") {
        round.watches.take(answer);
    } else if (word == "dump" && answer) {
        SessionDump dump = parseDump(*answer);
        if (!round.dump || dump.hasTimes)
            round.dump = std::move(dump);
    } else if (word == "cons" && answer && server::endsWithEmptyLine(*answer)) {
        ++round.consAnswers;
        round.connections.emplace_back(server, parseConnections(*answer));
        setClock(server, round.connections.back().second, m_setup.scheduler.now());
    } else if (word == "cons") {
        m_clocks.erase(server); // another server may answer here next
    }
}

void SessionPoller::setClock(const std::string& server, const std::vector<ConnectionLine>& lines,
                             MonotonicTime answered)
{
    constexpr std::int64_t kAnotherClockMs = 60'000; // the server's machine has restarted
    std::optional<std::int64_t> ahead;
    const std::int64_t at = std::chrono::duration_cast<milliseconds>(answered.time_since_epoch()).count();
    for (const ConnectionLine& line : lines)
        if (line.lastResponseMs > 0)
            ahead = std::max(ahead.value_or(line.lastResponseMs - at), line.lastResponseMs - at);
    if (!ahead)
        return;
    std::int64_t& known = m_clocks.try_emplace(server, *ahead).first->second;
    known = *ahead + kAnotherClockMs < known ? *ahead : std::max(known, *ahead);
}

std::optional<Duration> SessionPoller::silenceOf(const std::string& server, std::int64_t lastResponseMs,
                                                 MonotonicTime asked) const
{
    const auto clock = m_clocks.find(server);
    if (clock == m_clocks.end() || lastResponseMs <= 0)
        return std::nullopt;
    const std::int64_t at = std::chrono::duration_cast<milliseconds>(asked.time_since_epoch()).count();
    return milliseconds(std::max<std::int64_t>(at + clock->second - lastResponseMs, 0));
}

void SessionPoller::addConnections(Round& round, SessionPoll& poll)
{
    const MonotonicTime now = m_setup.scheduler.now();
    std::set<SessionId> there;
    for (const auto& [server, lines] : round.connections) {
        for (const ConnectionLine& line : lines) {
            there.insert(line.session);
            const auto [place, isNew] = m_seen.try_emplace(line.session);
            Seen& seen = place->second;
            if (isNew || seen.received != line.received || seen.server != server) {
                seen.before = isNew ? round.begun : m_lastEnded;
                seen.changed = round.begun;
            }
            if (!isNew && seen.lastRequest != line.lastRequest)
                ++seen.requestsSeen;
            seen.received = line.received;
            seen.lastRequest = line.lastRequest;
            seen.server = server;
            seen.disconnected = {};
            seen.lastResponseMs = line.lastResponseMs;
            seen.facts.address = line.address;
            seen.facts.timeout = milliseconds(std::clamp<std::int64_t>(line.timeoutMs, 0, 86'400'000));
            if (line.session == m_own.session && line.establishedMs > 0 && m_own.connected != MonotonicTime{})
                poll.clockAheadMs =
                    line.establishedMs -
                    (wallMs() - std::chrono::duration_cast<milliseconds>(now - m_own.connected).count());
        }
    }
    // A server that restarts gives every session its whole timeout again. It may be down for less than the
    // time between two rounds, but none of its connections survives.
    const auto cameBack = [&](const auto& answer) {
        const auto last = m_answering.find(answer.first);
        return last != m_answering.end() && !last->second.empty() && !answer.second.empty() &&
               std::none_of(answer.second.begin(), answer.second.end(),
                            [&](const auto& one) { return last->second.contains(one); });
    };
    std::map<std::string, std::set<std::pair<SessionId, std::int64_t>>> answering;
    for (const auto& [server, lines] : round.connections)
        for (auto& connections = answering[server]; const ConnectionLine& line : lines)
            connections.emplace(line.session, line.establishedMs);
    const bool same = std::equal(answering.begin(), answering.end(), m_answering.begin(), m_answering.end(),
                                 [](const auto& one, const auto& other) { return one.first == other.first; });
    if (!m_answered.empty() && (!same || std::any_of(answering.begin(), answering.end(), cameBack)))
        m_answeringSince = round.begun;
    for (const auto& [server, connections] : answering)
        m_answered.insert(server);
    m_answering = std::move(answering);
    // A server that answered before and does not now may have the connections that are missing.
    const bool all = round.consAnswers > 0 && round.consAnswers == m_answered.size();
    for (auto& [id, seen] : m_seen) {
        seen.facts.connected = there.contains(id);
        if (!seen.facts.connected && seen.disconnected == MonotonicTime{})
            seen.disconnected = round.begun;
        seen.facts.lastRequest = seen.lastRequest;
        seen.facts.requestsSeen = seen.requestsSeen;
        // After a session's first round it is unknown when `received` last changed.
        seen.facts.silence.reset();
        if (seen.changed != seen.before || round.begun != seen.changed)
            seen.facts.silence = Silence{round.begun - seen.changed, now - seen.before};
        if (const auto exact = silenceOf(seen.server, seen.lastResponseMs, round.begun)) {
            const Silence before = seen.facts.silence.value_or(Silence{});
            seen.facts.silence =
                Silence{std::max(before.least, *exact), std::max(before.most, *exact + (now - round.begun))};
        }
        if (!seen.facts.connected && !all) {
            seen.facts.silence.reset();
        } else if (!seen.facts.connected && seen.facts.silence) {
            seen.facts.silence->least = std::min<Duration>(
                seen.facts.silence->least, round.begun - std::min(m_answeringSince, round.begun));
        }
    }
    poll.whole = all;
    for (auto& [id, seen] : m_seen) {
        seen.facts.alive = seen.facts.connected;
        poll.sessions[id] = seen.facts;
    }
    std::erase_if(m_seen, [&](const auto& entry) {
        return entry.second.disconnected != MonotonicTime{} &&
               round.begun - entry.second.disconnected > kForgetAfter;
    });
}

// A session expires at a whole tick after its last sign of life plus its timeout; our own session is the
// reference.
void SessionPoller::addDump(Round& round, SessionPoll& poll)
{
    if (!round.dump)
        return;
    std::optional<std::int64_t> own;
    for (const SessionDump::Session& session : round.dump->sessions)
        if (session.id == m_own.session)
            own = session.expiresAtS;
    for (const SessionDump::Session& session : round.dump->sessions) {
        SessionFacts& facts = poll.sessions[session.id];
        facts.alive = true;
        if (!own || !session.expiresAtS || !round.dump->hasTimes)
            continue;
        // The server last heard of us between a third of our timeout ago (the oldest possible ping) and now.
        const Duration ahead = seconds(*session.expiresAtS - *own);
        const Duration most = std::max<Duration>(m_own.timeout + ahead + seconds(1), Duration{});
        const Duration least = std::max<Duration>(m_own.timeout * 2 / 3 + ahead - seconds(1), Duration{});
        facts.expiresIn = most;
        if (facts.timeout > Duration{}) {
            const Silence byDump{std::max<Duration>(facts.timeout - most, Duration{}),
                                 std::max<Duration>(facts.timeout - least, Duration{})};
            if (!facts.silence)
                facts.silence = byDump;
        }
    }
    if (round.dump->hasTimes || !round.dump->sessions.empty())
        poll.whole = true;
    poll.hasEverySession =
        std::any_of(round.dump->sessions.begin(), round.dump->sessions.end(),
                    [this](const SessionDump::Session& one) { return one.id == m_own.session; });
}

void SessionPoller::end(Round& round)
{
    m_asking = false;
    SessionPoll poll;
    poll.begun = round.begun;
    poll.ended = m_setup.scheduler.now();
    addConnections(round, poll);
    addDump(round, poll);
    m_lastEnded = round.begun;
    if (round.watches.answered == m_words.servers())
        poll.watches = belowChroot(std::move(round.watches.watches), m_setup.chroot);
    m_setup.taken(poll); // may prefer another time for the next round
    if (std::exchange(m_again, false))
        pollSoon();
}

} // namespace lockscope::field
