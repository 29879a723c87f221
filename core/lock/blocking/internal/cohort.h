// The members of a process that share one node of a lock: who holds, who waits, and when the node must go.
// Its keeper (node_keeper.h) makes and deletes the node. A mutex is held briefly, and only await() waits. Any
// thread.
//
// Every function is one step, so that these are all the races there are:
//
//   a waiting member                 the holder                    the keeper, or another member
//   ------------------------------   ---------------------------   -----------------------------------------
//   1                                leaves: passes the node on
//   its limit is over: giveUp()
//   finds a grant, and takes it (else no member would hold it, and none would release it)
//   2
//   gives up, the last one
//                                                                  another one enters: the node is wanted
//   asks the keeper to give up                                     looks again, and goes on
//   3
//   gives up, the last one
//                                                                  granted(): none waits, the node must go
//   4                                leaves: the node must go
//                                                                  another one enters, and waits
//                                                                  deletes; wants(): yes, the next node
//   5                                                              wants(): no, the keeper ends
//                                                                  another one enters: needs a keeper
//   6                                                              lost()
//                                    leaves: was lost              the next node is for those who wait
//   7                                leaves: passes the node on
//   holds                                                          lost(): this hold is lost
#pragma once

#include "core/lock/blocking/cohort_mutex.h"
#include "core/lock/blocking/internal/thread_owners.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace lockscope::lock {

class Cohort
{
public:
    // One acquire, in the frame of the member that waits.
    class Waiter
    {
    public:
        Waiter(Caller who, std::optional<Duration> limit)
            : member(who)
            , hasLimit(limit)
            , isSingleTry(limit && *limit <= Duration{})
        {}
        virtual ~Waiter() = default;
        Waiter(const Waiter&) = delete;
        Waiter& operator=(const Waiter&) = delete;
        virtual void wake() noexcept = 0; // the outcome is there; called with the mutex of the cohort

        const Caller member;
        const bool hasLimit;
        const bool isSingleTry;
        std::optional<Result<Grant>> outcome{}; // written with that mutex, by the cohort
    };

    Cohort(std::string path, LocalHandoffs budget);

    // ---- members ----
    // ended: the outcome is there, and no thread is woken. needsKeeper: it waits, and the caller must start a
    // keeper.
    enum class Entry : std::uint8_t { ended, waits, needsKeeper };
    Entry enter(Waiter& waiter);
    // Waits for the outcome; false at the limit.
    bool await(const Waiter& waiter, std::condition_variable& woken, std::optional<Duration> limit);
    // True: it waits no longer. False: its outcome is there.
    bool giveUp(Waiter& waiter);
    // Leaves one level. Returns the number of the node that must go now, or 0. Errors: notOwner; sessionLost
    // when the hold was lost.
    Result<std::uint64_t> leave(const Caller& member, MonotonicTime now);
    std::optional<Grant> grantOf(const Caller& member) const; // of its hold, if any
    std::size_t waiting() const;                              // so many members

    // ---- the keeper ----
    // Whether a member waits for a node, and how long to try. False: the keeper must end.
    bool wants(std::optional<Duration>* limit);
    bool isWanted() const; // a member waits, and does not only try: an acquire that has begun goes on
    // The node is there: its first holder is granted it. Returns the number of the node.
    std::uint64_t granted(Grant grant, MonotonicTime now);
    bool isHeld() const; // false: the node must go
    // No node was made. timedOut ends only single tries, and noServer only waits without a limit.
    // Returns whether it ended any.
    bool refuse(const Error& error);
    struct Lost
    {
        Caller member;
        Grant grant;
    };
    std::optional<Lost> lost();        // the node is gone; the hold that went with it
    void setConnected(bool connected); // without a connection nothing is passed on
    // Waiting members get the error, the hold is lost, and so it is for who enters later.
    void close(const Error& error);
    bool isClosed() const;

private:
    enum class Node : std::uint8_t { none, wanted, held, leaving };
    struct Hold
    {
        Caller member;
        std::uint16_t depth = 1;
    };
    void passOn(); // to the first who waits
    void end(Waiter& waiter, Result<Grant> outcome);
    template <class Which>
    std::size_t endAll(const Error& error, Which which);

    const std::string m_path;
    const LocalHandoffs m_budget;
    mutable std::mutex m_mutex; // guards what follows
    Node m_node = Node::none;
    Grant m_grant; // of the node
    std::uint64_t m_number = 0;
    std::uint32_t m_passedOn = 0; // so often
    MonotonicTime m_since{};      // its grant
    std::optional<Hold> m_holder;
    std::deque<Waiter*> m_waiting;
    std::map<ThreadNumber, std::uint16_t> m_lost; // holds that were lost, and are not left yet: their depths
    std::optional<Error> m_closed;
    bool m_connected = true;
};

} // namespace lockscope::lock
