// Who was in the queue when, by the leader's log: the measure that the clients' beliefs are held against. One
// thread.
#pragma once

#include "core/zk/memory/transaction.h"

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::explore {

struct Contender
{
    std::string name; // of its node, without the path
    Zxid made;        // its czxid
    SessionId owner;  // the session that made it
    Zxid gone{std::numeric_limits<std::int64_t>::max()};
    bool deletedByOthers = false; // deleted by none of the clients
    bool overflowed = false; // its number is negative: no client may hold with it, so it is not in the queue

    bool existsAt(Zxid when) const { return made <= when && when < gone; }
};
using Queue = std::vector<const Contender*>; // in the order of the recipe

class ServerHistory
{
public:
    // Sorts names as the recipe does: true when the first one comes before the second.
    using Before = std::function<bool(std::string_view, std::string_view)>;
    ServerHistory(std::string path, Before before);

    // Takes in what was appended to the log since the last call.
    void follow(const std::vector<zk::memory::Transaction>& log);

    const std::string& path() const { return m_path; }
    bool isContender(std::string_view path) const; // a child of the lock's path
    const Contender* find(std::string_view name) const;
    const Contender* find(Zxid made) const;
    bool wasDeletedByOthers(SessionId session) const;
    Queue queueAt(Zxid when) const;
    const Contender* overflowedNow() const;          // one that is there now; null for none
    bool overflowed() const { return m_overflowed; } // there was one
    const Queue& queue() const { return m_queue; }   // now
    const Contender* at(std::size_t place) const { return m_all[place].get(); } // in the order of creation
    std::size_t placeOf(const Contender* contender) const;
    // What the answers to questions about the time from `since` on depend on.
    void appendState(std::string& text, Zxid since) const;
    Zxid now() const { return m_now; }

private:
    void made(const zk::memory::Transaction& transaction);
    void gone(const std::string& path, Zxid when, bool byOthers);

    std::string m_path;
    Before m_before;
    std::size_t m_followed = 0;
    bool m_overflowed = false;
    Zxid m_now{0};
    std::vector<std::unique_ptr<Contender>> m_all;
    Queue m_queue;
};

} // namespace lockscope::explore
