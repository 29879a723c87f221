// Checks the holders by the server's transactions alone: follows them and compares what each holder did
// against the queue as it was at that very transaction. There is no excuse here: a session that is gone
// writes nothing.
//   - a holder writes "NODE TOKEN" to the guard of its lock: its node is the first, its own, and this is
//     its token; tokens of a lock increase from holder to holder
//   - a client that announces its hold is the first
//   - the node of a holder was never overtaken: it is the first when it goes
//   - a confirmed release has deleted the node, which did not go with its session
// One thread at a time.
#pragma once

#include "tests/faults/txn_log.h"

#include <map>
#include <string>
#include <vector>

namespace lockscope::tests {

class LogAudit
{
public:
    LogAudit(std::string locks, std::string guards); // the parents of both: "/locks", "/guards"
    void apply(const Txn& txn);

    // Ask at the end. The tokens are those of releases that were reported as done.
    void checkReleases(std::vector<Zxid> tokens);

    struct Counts
    {
        std::uint64_t transactions = 0;
        std::uint64_t nodesMade = 0;
        std::uint64_t sessionsClosed = 0;
        std::uint64_t guardWrites = 0;   // checked
        std::uint64_t announcements = 0; // checked
        std::uint64_t holdersGone = 0;   // checked: the nodes of holders that went
        std::uint64_t releases = 0;      // checked
        std::uint64_t violated = 0;
    };
    const Counts& counts() const { return m_counts; }
    const std::vector<std::string>& violations() const
    {
        return m_violations;
    }                                           // the first ones, with evidence
    std::vector<std::string> liveNodes() const; // "path of session, since zxid"

private:
    struct Node
    {
        std::string name;
        SessionId session;
        Zxid made;
        bool held = false;
    };
    using Queue = std::map<std::string, Node>; // by the digits at the end of the name
    struct Lock
    {
        Queue queue;
        Zxid newestToken{0};
    };

    void created(const Txn& txn);
    void deleted(const Txn& txn);
    void guardWritten(const Txn& txn);
    void nodeWritten(const Txn& txn);
    void sessionClosed(const Txn& txn);
    void gone(const std::string& lockName, Lock& lock, Queue::iterator node, const Txn& txn);
    void checkFirst(const std::string& lockName, Lock& lock, Queue::iterator node, const Txn& txn,
                    const char* what);
    void violated(const Txn& txn, const std::string& lockName, const std::string& what);
    void violated(std::string what);
    // The lock and the node that a path names; the node may be at the end.
    std::pair<std::map<std::string, Lock>::iterator, Queue::iterator> find(std::string_view path);

    std::string m_locksPrefix;
    std::string m_guardsPrefix;
    std::map<std::string, Lock> m_locks;
    std::map<SessionId, std::map<std::string, std::string>> m_owned; // path and lock name, by session
    std::vector<Zxid> m_wentWithSession;                             // tokens of holders
    Counts m_counts;
    std::vector<std::string> m_violations;
};

} // namespace lockscope::tests
