#include "tests/support/trace_script.h"

#include "tests/support/script_player.h"
#include "tests/support/script_words.h"

#include <array>
#include <cstdio>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace lockscope::tests {

using namespace script_words;
using namespace std::chrono_literals;
using trace::Outcome;

std::shared_ptr<trace::TraceStore> ScriptPlayer::play(std::string_view text)
{
    run(trace::ServerState{trace::ServerPhase::ready, "127.0.0.1:2181", "3.8.0", "standalone", {}});
    run(trace::LockAdded{"/locks/well", "mutex", "curator"}, LockId{0});
    std::string all(text);
    for (char& c : all)
        c = c == ';' ? '\n' : c;
    std::istringstream lines(all);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream in(line);
        Words words;
        for (std::string word; in >> word;)
            words.push_back(word);
        if (words.empty() || words[0].starts_with("#"))
            continue;
        try {
            statement(words);
        } catch (const std::invalid_argument& e) {
            throw std::invalid_argument(std::string("\"").append(line).append("\": ").append(e.what()));
        }
    }
    return m_store;
}

void ScriptPlayer::statement(const Words& words)
{
    std::size_t at = 0;
    if (isTime(words[0])) {
        const std::int64_t value = number(words[0]);
        m_now = words[0].ends_with("ms") ? Duration(std::chrono::milliseconds(value))
                                         : Duration(std::chrono::microseconds(value));
        at = 1;
    } else {
        m_now += 1ms;
    }
    if (words.size() < at + 2)
        throw std::invalid_argument("who and what were expected");
    // CLIENT[:OWNER][@LOCK]
    std::string who = words[at];
    const std::size_t place = who.find('@');
    m_lock = place == std::string::npos ? LockId{0} : lock(who.substr(place + 1));
    who = who.substr(0, place);
    const std::size_t owner = who.find(':');
    m_owner =
        OwnerId{owner == std::string::npos ? 0 : static_cast<std::uint32_t>(number(who.substr(owner + 1)))};
    perform(who.substr(0, owner), words[at + 1],
            Words(words.begin() + static_cast<std::ptrdiff_t>(at) + 2, words.end()));
}

LockId ScriptPlayer::lock(const std::string& name) const
{
    const auto found = m_locks.find(name);
    if (found == m_locks.end())
        throw std::invalid_argument("there is no lock " + name);
    return found->second;
}

void ScriptPlayer::perform(const std::string& who, const std::string& what, const Words& args)
{
    if (who == "-") {
        if (!asRun(what, args) && !asSetting(what, args) && !asWatchTable(what, args))
            throw std::invalid_argument("the run does not do this");
        return;
    }
    if (asSeveral(who, what, args))
        return;
    Client& c = client(who);
    if (!asSession(c, what, args) && !asProtocol(c, what, args) && !asBelief(c, what, args))
        throw std::invalid_argument("no client does this");
}

ScriptPlayer::Client& ScriptPlayer::client(const std::string& name)
{
    const auto found = m_clients.find(name);
    if (found != m_clients.end())
        return found->second;
    addClient(name, {}, SessionId::none());
    return m_clients[name];
}

void ScriptPlayer::addClient(const std::string& name, const std::string& process, SessionId shared)
{
    Client& c = m_clients[name];
    c.id = ClientId{static_cast<ClientId::Value>(m_clients.size() - 1)};
    add(c, trace::ClientAdded{name, static_cast<std::uint16_t>(c.id.value), process});
    session(c, trace::SessionPhase::connecting);
    if (shared.valid())
        c.session = shared;
    session(c, trace::SessionPhase::connected);
}

EventIndex ScriptPlayer::add(const Client& c, trace::Payload what, EventIndex cause)
{
    return m_store->append(trace::Event{m_now, cause, c.id, m_lock, what});
}

EventIndex ScriptPlayer::run(trace::Payload what, LockId lock)
{
    return m_store->append(trace::Event{m_now, EventIndex::none(), ClientId::none(), lock, what});
}

void ScriptPlayer::session(Client& c, trace::SessionPhase phase)
{
    using trace::SessionPhase;
    if (phase == SessionPhase::connecting)
        c.session = SessionId{m_nextSession++};
    const SessionId known = phase == SessionPhase::connecting ? SessionId::none() : c.session;
    c.last = add(c, trace::SessionState{phase, known, 10s});
}

void ScriptPlayer::request(Client& c, Operation op, const std::string& node, bool watch, bool together,
                           EventIndex cause)
{
    c.requests[{m_lock, op}] = add(c, trace::Request{op, node, watch, together}, cause);
    if (op == Operation::remove)
        m_deletions[node] = c.requests[{m_lock, op}];
}

void ScriptPlayer::reply(Client& c, Operation op, Outcome outcome, const std::string& node, Zxid zxid,
                         std::uint32_t count)
{
    const auto request = c.requests.find({m_lock, op});
    const EventIndex cause = request == c.requests.end() ? EventIndex::none() : request->second;
    c.last = add(c, trace::Reply{op, outcome, node, zxid, count}, cause);
}

// '-': running, paused, finished, seen NODE [foreign] [CLIENT whose session it is], vanished NODE, observed
// COUNT, notice TEXT [CODE].
bool ScriptPlayer::asRun(const std::string& what, const Words& args)
{
    static const std::map<std::string, trace::RunPhase> kPhases{{"running", trace::RunPhase::running},
                                                                {"paused", trace::RunPhase::paused},
                                                                {"finished", trace::RunPhase::finished}};
    if (const auto phase = kPhases.find(what); phase != kPhases.end()) {
        run(trace::RunPhaseChanged{phase->second, {}});
    } else if (what == "seen") {
        const std::string node = scriptNode(argument(args, 0));
        const bool foreign = args.size() > 1 && args[1] == "foreign";
        const std::size_t owner = foreign ? 2 : 1;
        const SessionId session = args.size() > owner ? client(args[owner]).session : SessionId::none();
        run(trace::NodeSeen{node, session, zxidOf(args[0]), foreign}, m_lock);
    } else if (what == "vanished") {
        run(trace::NodeVanished{scriptNode(argument(args, 0))}, m_lock);
    } else if (what == "observed") {
        run(trace::Observed{static_cast<std::uint32_t>(number(argument(args, 0)))}, m_lock);
    } else if (what == "notice") {
        run(trace::Notice{trace::Severity::info, Message(argument(args, 0)),
                          args.size() > 1 ? trace::Text(args[1]) : trace::Text()});
    } else {
        return false;
    }
    return true;
}

// '-': lock NAME [RECIPE], limit PERMITS, process NAME CLIENT... (they share one session), gone PROCESS (its
// session, on the server), value NAME VALUE [FAULT].
bool ScriptPlayer::asSetting(const std::string& what, const Words& args)
{
    if (what == "lock") {
        const std::string& name = argument(args, 0);
        const std::string recipe = args.size() > 1 ? args[1] : "mutex";
        const LockId id{static_cast<LockId::Value>(m_locks.size())};
        m_locks[name] = id;
        const std::string path = "/locks/" + name + (recipe == "semaphore" ? "/leases" : "");
        run(trace::LockAdded{path, recipe, args.size() > 2 ? args[2] : "curator"}, id);
    } else if (what == "limit") {
        run(trace::LockLimit{static_cast<std::uint32_t>(number(argument(args, 0)))}, m_lock);
    } else if (what == "process") {
        const std::string& process = argument(args, 0);
        const SessionId shared{m_nextSession++};
        m_processes[process] = shared;
        for (std::size_t i = 1; i < args.size(); ++i)
            addClient(args[i], process, shared);
    } else if (what == "gone") {
        const auto process = m_processes.find(argument(args, 0));
        if (process == m_processes.end())
            throw std::invalid_argument("there is no such process");
        const SessionId session = process->second;
        const EventIndex gone = run(trace::SessionGone{session});
        for (const auto& [node, owner] : m_nodeSessions) {
            if (owner == session)
                m_deletions[node] = gone;
        }
    } else if (what == "value") {
        run(trace::ResourceValue{argument(args, 0), argument(args, 1),
                                 Message(args.size() > 2 ? args[2] : "")},
            m_lock);
    } else {
        return false;
    }
    return true;
}

// CLIENT: connecting (a new session), connected, suspended, lost, closed; command VERB, gone (its session, on
// the server), killed (both); clientfinished, removed, thinks.
bool ScriptPlayer::asSession(Client& c, const std::string& what, const Words& args)
{
    using trace::SessionPhase;
    if (what == "connecting") {
        session(c, SessionPhase::connecting);
    } else if (what == "connected") {
        session(c, SessionPhase::connected);
    } else if (what == "suspended") {
        session(c, SessionPhase::suspended);
    } else if (what == "lost") {
        session(c, SessionPhase::lost);
    } else if (what == "closed") {
        session(c, SessionPhase::closed);
    } else if (what == "command") {
        c.last = add(c, trace::Command{argument(args, 0), {}});
    } else if (what == "gone" || what == "killed") {
        const EventIndex command =
            what == "killed" ? add(c, trace::Command{"kill_session", {}}) : EventIndex::none();
        const EventIndex gone = add(c, trace::SessionGone{c.session}, command);
        for (const auto& [node, owner] : m_nodeSessions) {
            if (owner == c.session)
                m_deletions[node] = gone;
        }
    } else if (what == "clientfinished") {
        add(c, trace::ClientFinished{});
    } else if (what == "removed") {
        add(c, trace::ClientRemoved{});
    } else if (what == "thinks") {
        add(c, trace::Thinks{1ms});
    } else {
        return false;
    }
    return true;
}

// Several events at one moment. CLIENT: joins NODE = calls, create, created, listed; holds NODE = joins,
// decided first, acquired; waits NODE AHEAD = joins, decided second, watch, watching; release NODE =
// releases, delete; freed NODE = deleted, released; again NODE POSITION/COUNT [AHEAD] = list, listed,
// decided; takes NODE = again first, acquired; sleeps NODE POSITION/COUNT = listwatch, listed, decided.
bool ScriptPlayer::asSeveral(const std::string& who, const std::string& what, const Words& args)
{
    static const std::map<std::string, std::vector<std::string_view>> kSeveral{
        {"joins", {"calls", "create", "created $0", "listed 1"}},
        {"holds", {"joins $0", "decided $0 0/1", "acquired $0"}},
        {"waits", {"joins $0", "decided $0 1/2 $1", "watch $1", "watching $1"}},
        {"release", {"releases $0", "delete $0"}},
        {"freed", {"deleted $0 $1", "released $0"}},
        {"again", {"list", "listed 1", "decided $0 $1 $2"}},
        {"sleeps", {"listwatch", "listed 1", "decided $0 $1"}},
        {"takes", {"list", "listed 1", "decided $0 0/1", "acquired $0"}},
    };
    const auto found = kSeveral.find(what);
    if (found == kSeveral.end())
        return false;
    for (const std::string_view step : found->second) {
        // "$0", "$1", "$2" stand for this statement's arguments.
        std::istringstream in{std::string(step)};
        std::string verb;
        in >> verb;
        Words words;
        for (std::string word; in >> word;) {
            if (!word.starts_with('$'))
                words.push_back(word);
            else if (const auto at = static_cast<std::size_t>(number(word.substr(1))); at < args.size())
                words.push_back(args[at]);
        }
        perform(who, verb, words);
    }
    return true;
}

std::string scriptNode(std::string_view word)
{
    if (!isNode(word))
        return std::string(word);
    const char* kind = word.front() == 'l'   ? "-lease-"
                       : word.front() == 'r' ? "-__READ__"
                       : word.front() == 'w' ? "-__WRIT__"
                                             : "-lock-";
    std::array<char, 80> name{};
    const long long sequence = number(word.substr(1));
    std::snprintf(name.data(), name.size(), "_c_%08llx-0000-4000-8000-000000000000%s%010lld",
                  (sequence * 2'654'435'761) & 0xffff'ffff, kind, sequence);
    return name.data();
}

std::shared_ptr<trace::TraceStore> traceScript(std::string_view text) { return ScriptPlayer().play(text); }

} // namespace lockscope::tests
