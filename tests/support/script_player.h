// Plays the statements of a trace script into a store: see trace_script.h. One thread, one script.
#pragma once

#include "core/trace/store.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::tests {

class ScriptPlayer
{
public:
    std::shared_ptr<trace::TraceStore> play(std::string_view text);

private:
    using Words = std::vector<std::string>;
    struct Client
    {
        ClientId id;
        SessionId session;
        Zxid token;
        EventIndex last = EventIndex::none(); // of what it did last: the next step's cause
        std::map<std::pair<LockId, Operation>, EventIndex> requests; // not answered yet
    };

    void statement(const Words& words);
    void perform(const std::string& who, const std::string& what, const Words& args);
    bool asRun(const std::string& what, const Words& args);
    bool asSetting(const std::string& what, const Words& args);
    bool asWatchTable(const std::string& what, const Words& args);
    void addClient(const std::string& name, const std::string& process, SessionId session);
    LockId lock(const std::string& name) const;
    bool asSession(Client& c, const std::string& what, const Words& args);
    bool asProtocol(Client& c, const std::string& what, const Words& args);
    bool asBelief(Client& c, const std::string& what, const Words& args);
    bool asSeveral(const std::string& who, const std::string& what, const Words& args);
    Client& client(const std::string& name);
    EventIndex add(const Client& c, trace::Payload what, EventIndex cause = EventIndex::none());
    EventIndex run(trace::Payload what, LockId lock = LockId::none());
    void request(Client& c, Operation op, const std::string& node, bool watch, bool together,
                 EventIndex cause);
    void reply(Client& c, Operation op, trace::Outcome outcome, const std::string& node, Zxid zxid,
               std::uint32_t count);
    void session(Client& c, trace::SessionPhase phase);

    std::shared_ptr<trace::TraceStore> m_store = std::make_shared<trace::TraceStore>();
    Duration m_now{};
    std::int64_t m_nextSession = 0xa00;
    std::map<std::string, Client> m_clients;
    std::map<std::string, LockId> m_locks{{"well", LockId{0}}};
    std::map<std::string, SessionId> m_processes;
    LockId m_lock{0}; // of the statement that is played
    OwnerId m_owner{0};
    std::map<std::string, EventIndex> m_deletions; // by full node name
    std::map<std::string, SessionId> m_nodeSessions;
    std::set<std::pair<std::string, SessionId>> m_watchTable;
};

} // namespace lockscope::tests
