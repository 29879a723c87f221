// Known mistakes of lock recipes, each of which can be switched on for a recipe by the session that it is
// given: proof that a check can fail, and a way to see how a lock breaks.
#pragma once

#include "core/sim/teaching/session_decorator.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::explore {

struct Flaws
{
    bool noGuidSearch =
        false; // after a lost reply to the create, makes a second node; the first stays (CURATOR-45)
    bool existsInsteadOfGet = false; // watches with exists, which leaves a watch behind (CURATOR-107)
    bool noOwnerCheck = false;       // accepts a node that another session owns (CURATOR-498)
    bool forgetfulRelease = false;   // a release sends one delete and ignores its result (CURATOR-486)
    bool wrongNeighbour = false;     // watches the last node of the queue, even behind its own (kazoo 649)
    bool announcesEarly = false;     // announces that it holds the lock while it waits
    bool acceptsAnySync = false;     // trusts a list after a refused sync (CURATOR-264)
    bool unwatchedHold = false;      // watches its own node once: not again after a disconnect or a refusal
    bool acceptsOverflow =
        false;               // accepts a number that follows the overflow of the server's (ZOOKEEPER-2944)
    bool noOwnWatch = false; // waits for an announced predecessor without a watch on its own node
    bool grantsLostHold =
        false; // grants a re-entry although the hold is lost; the client of the lock does this
    bool ignoresDestruction =
        false; // an acquire of a destroyed lock goes on; the client does this: it keeps the lock
    // One for each rule of decide():
    bool trustsMissingNode = false; // takes its node for the first one though the list lacks it (etcd 3.4.3)
    bool ordersByName = false;      // by the whole name, which begins with random digits
    bool overlooksFirst = false;    // does not wait for all nodes ahead
    bool watchesFirst = false;      // watches the first node instead of the nearest: a herd
    bool readerOverlooksWriters = false; // waits for no writer
    bool writerOverlooksReaders = false; // waits for writers only

    bool any() const;
};

struct FlawRow
{
    std::string_view name;
    bool Flaws::*member;
    std::string_view does;
};
std::span<const FlawRow> allFlaws();
std::optional<Flaws> flawNamed(std::string_view name);

class FlawedSession final : public lock::SessionDecorator
{
public:
    FlawedSession(zk::SessionPtr inner, Flaws flaws);
    // `inner` itself when there is no flaw.
    static zk::SessionPtr over(zk::SessionPtr inner, const Flaws& flaws);

    using Session::setData;
    using SessionDecorator::getChildren;
    using SessionDecorator::getData;
    void create(const std::string& path, std::string_view data, zk::CreateMode mode,
                UniqueFunction<void(zk::Created)> handler) override;
    void remove(const std::string& path, UniqueFunction<void(zk::Code)> handler) override;
    void setData(const std::string& path, std::string_view data, std::int32_t version,
                 UniqueFunction<void(zk::StatReply)> handler) override;
    void getChildren(const std::string& path, zk::ChildrenVisitor visitor) override;
    void getData(const std::string& path, UniqueFunction<void(zk::Data)> handler) override;
    zk::WatchPtr getData(const std::string& path, zk::WatchHandler watch,
                         UniqueFunction<void(zk::Data)> handler) override;
    void sync(const std::string& path, UniqueFunction<void(zk::Code)> handler) override;
    // The name of a node on the server; the recipe sees an overflowed number of its own as a small one.
    std::string real(const std::string& path) const;

private:
    struct Own // a node that this session created
    {
        std::string data;
        bool watched = false;
    };
    // Shared with handlers.
    struct State
    {
        std::map<std::string, Own> own; // by the path that the recipe knows
        std::set<std::string> prefixes; // of the creates so far, with the path
        std::map<std::string, std::string>
            numbers; // real paths of overflowed nodes, by the path that the recipe knows
        std::map<std::string, std::string> first, last; // of the last list of a path, beside the own node
        std::string newest;                             // the own node created last
        int waits = 0;                                  // watches on predecessors
    };
    zk::WatchPtr watchOwn(const std::string& path, zk::WatchHandler watch,
                          UniqueFunction<void(zk::Data)> handler);

    const Flaws m_flaws;
    const std::shared_ptr<State> m_state = std::make_shared<State>();
};

} // namespace lockscope::explore
