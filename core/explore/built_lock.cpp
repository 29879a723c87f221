#include "core/explore/built_lock.h"

#include "core/lock/internal/guaranteed_delete.h"
#include "core/lock/internal/parents.h"
#include "core/sim/teaching/teaching_lock.h"

#include <fmt/core.h>

#include <algorithm>

namespace lockscope::explore {

namespace {

using lock::Answer;
using lock::Grant;
using lock::ListResult;
using lock::OpControl;
using lock::StepResult;

const std::string kOneNode = "lock"; // for all clients
constexpr std::string_view kNumbered = "lock-";
constexpr Duration kRefusedPause = std::chrono::milliseconds(20);
constexpr std::size_t kGuid = 36;

// Of a name that has none: 0.
std::int64_t numberOf(std::string_view name) { return lock::sequenceOf(name).value_or(0); }

// A watch of a client that waits.
struct WakeUp
{
    bool fired = false;
    EventIndex event = EventIndex::none();
};

struct BuiltCore final : lock::TeachingLockCore
{
    BuiltCore(zk::SessionPtr session, lock::LockOptions given, const BuiltRecipe& its)
        : TeachingLockCore(std::move(session), std::move(given))
        , recipe(its)
    {
        if (recipe.ordersByName())
            byWholeName.lockName = "/"; // which is in no name
    }

    void listenToSuspensions();
    void giveUp();
    zk::Task<StepResult> enter(OpControl& control, Grant& grant) override;
    zk::Task<StepResult> make(OpControl& control, Grant& grant);
    zk::Task<StepResult> find(OpControl& control, Grant& grant, std::string mark);
    zk::Task<StepResult> queueUp(OpControl& control, Grant& grant);
    zk::Task<StepResult> waitForNode(OpControl& control, Grant& grant);
    zk::Task<StepResult> list(OpControl& control, const std::string& own, lock::Decision& decision,
                              zk::WatchPtr& watch, const std::shared_ptr<WakeUp>& wakeUp);
    zk::Task<StepResult> watchNode(OpControl& control, const std::string& node, zk::WatchPtr& watch,
                                   const std::shared_ptr<WakeUp>& wakeUp);
    zk::Task<StepResult> sleep(OpControl& control, const std::shared_ptr<WakeUp>& wakeUp);
    zk::Task<StepResult> again(OpControl& control, zk::Code code);
    std::string nextGuid();

    const BuiltRecipe recipe;
    lock::NodeNaming byWholeName;
    std::uint32_t attempts = 0;
};

void BuiltCore::listenToSuspensions()
{
    if (recipe.givesUp())
        nodeClient.session().addListener([weak = weak_from_this()](zk::SessionPhase phase) {
            const auto self = weak.lock();
            if (self && phase == zk::SessionPhase::suspended)
                static_cast<BuiltCore&>(*self).giveUp();
        });
}

void BuiltCore::giveUp()
{
    for (const auto& [owner, grant] : holds)
        lock::deleteInBackground(nodeClient, grant.node, EventIndex::none());
    loseAll(LostReason::closed);
}

// The explorer says with which one to begin; a later attempt has another one.
std::string BuiltCore::nextGuid()
{
    const std::string& first = options.keptGuid;
    return first.substr(0, kGuid - 4) + fmt::format("{:04x}", 0xFFFF - attempts++);
}

// After an answer that says nothing: once the session is connected, or after a pause. repeat.
zk::Task<StepResult> BuiltCore::again(OpControl& control, zk::Code code)
{
    if (code == zk::Code::unknown)
        co_await control.waitUntilConnectedOrStopped();
    else
        co_await control.pauseFor(kRefusedPause);
    co_return control.stopped() ? StepResult::failed : StepResult::repeat;
}

zk::Task<StepResult> BuiltCore::enter(OpControl& control, Grant& grant)
{
    for (;;) {
        StepResult next = co_await make(control, grant);
        if (next == StepResult::proceed && recipe.isSequential())
            next = co_await queueUp(control, grant);
        else if (next == StepResult::repeat)
            next = co_await waitForNode(control, grant);
        if (next == StepResult::failed && !grant.node.empty())
            lock::deleteInBackground(nodeClient, grant.node, control.cause());
        if (next != StepResult::repeat)
            co_return next;
        grant = Grant{};
    }
}

// Makes a node. repeat: the one node is there already.
zk::Task<StepResult> BuiltCore::make(OpControl& control, Grant& grant)
{
    const std::string guid = nextGuid();
    std::string name = kOneNode;
    std::string mark = guid; // how the node is found
    if (recipe.isSequential()) {
        mark = lock::NodeNaming::protectionPrefix(guid);
        name = (recipe.isProtected() ? mark : std::string()) + std::string(kNumbered);
    }
    const std::string data = recipe.isSequential() || !recipe.isProtected() ? options.nodeData : guid;
    static constexpr zk::CreateMode kModes[2][2] = {
        {zk::CreateMode::ephemeral, zk::CreateMode::ephemeralSequential},
        {zk::CreateMode::persistent, zk::CreateMode::persistentSequential}};
    for (;;) {
        zk::Pending<Answer<zk::Created>> created;
        nodeClient.create(name, data, kModes[recipe.isPersistent()][recipe.isSequential()],
                          control.deliver(created), control.cause());
        co_await control.answered(created);
        if (!created.ready())
            co_return StepResult::failed;
        const Answer<zk::Created> answer = created.take();
        control.setCause(answer.event);
        StepResult next = StepResult::repeat;
        switch (answer.value.code) {
        case zk::Code::ok:
            grant = Grant{std::string(lock::childName(answer.value.path)), answer.value.stat.czxid};
            co_return StepResult::proceed;
        case zk::Code::nodeExists:
            co_return StepResult::repeat;
        case zk::Code::unknown:
            if (recipe.isProtected())
                next = co_await find(control, grant, mark);
            else
                next = co_await again(control, answer.value.code);
            break;
        case zk::Code::noNode: {
            const lock::ParentsResult parents = co_await lock::makeParents(control, nodeClient.path());
            if (parents.code != zk::Code::ok)
                next = co_await again(control, parents.code);
            break;
        }
        default:
            next = co_await again(control, answer.value.code);
        }
        if (next != StepResult::repeat)
            co_return next;
    }
}

// The node of a create whose reply was lost. repeat: there is none. A server may lag behind: only what it
// answers after a sync counts.
zk::Task<StepResult> BuiltCore::find(OpControl& control, Grant& grant, std::string mark)
{
    for (;;) {
        co_await control.waitUntilConnectedOrStopped();
        if (control.stopped())
            co_return StepResult::failed;
        std::string node = kOneNode;
        zk::Pending<Answer<zk::Code>> synced;
        nodeClient.sync(control.deliver(synced), control.cause());
        co_await control.answered(synced);
        if (!synced.ready())
            co_return StepResult::failed;
        const bool certain = synced.take().value == zk::Code::ok;
        if (recipe.isSequential()) {
            lock::Decision decision;
            zk::WatchPtr none;
            const StepResult listed = co_await list(control, mark, decision, none, nullptr);
            if (listed == StepResult::failed)
                co_return listed;
            if (listed == StepResult::proceed && certain && !decision.found)
                co_return StepResult::repeat;
            if (!decision.found)
                continue;
            node = decision.own;
        }
        zk::Pending<Answer<zk::Data>> read;
        nodeClient.read(node, control.deliver(read), control.cause());
        co_await control.answered(read);
        if (!read.ready())
            co_return StepResult::failed;
        const Answer<zk::Data> data = read.take();
        const bool there = data.value.code == zk::Code::ok;
        if (there && (recipe.isSequential() || data.value.bytes == mark)) {
            grant = Grant{node, data.value.stat.czxid};
            co_return StepResult::proceed;
        }
        if (certain && (there || data.value.code == zk::Code::noNode))
            co_return StepResult::repeat;
        const StepResult next = co_await again(control, data.value.code);
        if (next == StepResult::failed)
            co_return next;
    }
}

// The list, with a watch when the recipe watches it and `wakeUp` is set. repeat: there was no answer.
zk::Task<StepResult> BuiltCore::list(OpControl& control, const std::string& own, lock::Decision& decision,
                                     zk::WatchPtr& watch, const std::shared_ptr<WakeUp>& wakeUp)
{
    zk::Pending<Answer<ListResult>> listed;
    const lock::NodeNaming& naming = recipe.ordersByName() ? byWholeName : nodeClient.naming();
    auto decide = [own, naming](zk::ChildNames names) { return lock::decide(names, own, naming); };
    if (wakeUp && recipe.watched() == Watched::children)
        watch = nodeClient.listAndWatch(
            std::move(decide),
            [wakeUp, shared = control.shared()](zk::WatchKind, EventIndex event) {
                *wakeUp = WakeUp{true, event};
                shared->wake.notify();
            },
            control.deliver(listed), control.cause());
    else
        nodeClient.list(std::move(decide), false, control.deliver(listed), control.cause());
    co_await control.answered(listed);
    if (!listed.ready())
        co_return StepResult::failed;
    const Answer<ListResult> answer = listed.take();
    control.setCause(answer.event);
    if (answer.value.code != zk::Code::ok) {
        const StepResult next = co_await again(control, answer.value.code);
        co_return next;
    }
    decision = answer.value.decision;
    co_return StepResult::proceed;
}

// repeat: the node is gone, or there was no answer.
zk::Task<StepResult> BuiltCore::watchNode(OpControl& control, const std::string& node, zk::WatchPtr& watch,
                                          const std::shared_ptr<WakeUp>& wakeUp)
{
    auto fired = [wakeUp, shared = control.shared()](zk::WatchKind, EventIndex event) {
        *wakeUp = WakeUp{true, event};
        shared->wake.notify();
    };
    zk::Code code = zk::Code::unknown;
    if (recipe.watched() == Watched::beforeByExists) {
        zk::Pending<Answer<zk::StatReply>> looked;
        watch = nodeClient.watchWithExists(node, std::move(fired), control.deliver(looked), control.cause());
        co_await control.answered(looked);
        if (!looked.ready())
            co_return StepResult::failed;
        const Answer<zk::StatReply> answer = looked.take();
        control.setCause(answer.event);
        code = answer.value.code;
    } else {
        zk::Pending<Answer<zk::Data>> looked;
        watch = nodeClient.watch(node, std::move(fired), control.deliver(looked), control.cause());
        co_await control.answered(looked);
        if (!looked.ready())
            co_return StepResult::failed;
        const Answer<zk::Data> answer = looked.take();
        control.setCause(answer.event);
        code = answer.value.code;
    }
    if (code == zk::Code::ok)
        co_return StepResult::proceed;
    if (code == zk::Code::noNode)
        co_return StepResult::repeat;
    const StepResult next = co_await again(control, code);
    co_return next;
}

// proceed: it takes the lock. repeat: it looks again.
zk::Task<StepResult> BuiltCore::sleep(OpControl& control, const std::shared_ptr<WakeUp>& wakeUp)
{
    while (!control.stopped() && !wakeUp->fired)
        co_await control.woken();
    if (control.stopped())
        co_return StepResult::failed;
    control.setCause(wakeUp->event);
    co_return recipe.listsAgain() ? StepResult::repeat : StepResult::proceed;
}

// repeat: its node is gone.
zk::Task<StepResult> BuiltCore::queueUp(OpControl& control, Grant& grant)
{
    for (;;) {
        const auto wakeUp = std::make_shared<WakeUp>();
        zk::WatchPtr watch;
        lock::Decision decision;
        StepResult next = co_await list(control, grant.node, decision, watch, wakeUp);
        if (next == StepResult::failed)
            co_return next;
        if (next == StepResult::repeat)
            continue;
        if (!decision.found)
            co_return StepResult::repeat;
        nodeClient.sink().record(
            lock::event::Queued{grant.node, decision.position, decision.count, decision.predecessor},
            control.cause());
        if (decision.position == 0)
            co_return StepResult::proceed;
        if (recipe.watched() == Watched::beforeByGetData || recipe.watched() == Watched::beforeByExists)
            next = co_await watchNode(control, decision.predecessor, watch, wakeUp);
        if (next == StepResult::proceed)
            next = co_await sleep(control, wakeUp);
        if (next != StepResult::repeat)
            co_return next;
    }
}

// Waits until the one node is gone. repeat: try to make it.
zk::Task<StepResult> BuiltCore::waitForNode(OpControl& control, Grant& grant)
{
    const auto wakeUp = std::make_shared<WakeUp>();
    zk::WatchPtr watch;
    lock::Decision decision;
    StepResult next = StepResult::proceed;
    if (recipe.watched() == Watched::children) {
        next = co_await list(control, kOneNode, decision, watch, wakeUp);
        if (next == StepResult::proceed && !decision.found)
            next = StepResult::repeat;
    } else if (recipe.watched() != Watched::nothing) {
        next = co_await watchNode(control, kOneNode, watch, wakeUp);
    }
    if (next == StepResult::proceed)
        next = co_await sleep(control, wakeUp);
    if (next == StepResult::proceed)
        grant = Grant{kOneNode};
    co_return next;
}

class BuiltLock final : public lock::TeachingLock
{
public:
    explicit BuiltLock(const std::shared_ptr<BuiltCore>& core)
        : TeachingLock(core)
    {
        core->listenToSuspensions();
    }
};

class BuiltLocks final : public Locks
{
public:
    BuiltLocks(zk::SessionPtr session, lock::LockOptions options, const BuiltRecipe& recipe)
        : m_lock(std::make_shared<BuiltCore>(std::move(session), std::move(options), recipe))
    {}
    lock::Lock& side(std::size_t) override { return m_lock; }

private:
    BuiltLock m_lock;
};

class RunnableRecipe final : public Recipe
{
public:
    explicit RunnableRecipe(const BuiltRecipe& recipe)
        : m_recipe(recipe)
    {}
    std::string name() const override { return m_recipe.title.empty() ? "a built recipe" : m_recipe.title; }
    std::size_t sides() const override { return 1; }
    std::unique_ptr<Locks> make(zk::SessionPtr session, lock::LockOptions options,
                                const ObserverOf& observerOf) const override
    {
        options.observer = observerOf ? observerOf(0) : nullptr;
        return std::make_unique<BuiltLocks>(std::move(session), std::move(options), m_recipe);
    }
    bool followsHandoff() const override { return false; }
    bool noticesDeletion() const override { return false; } // a holder gets no notice of it
    std::optional<bool> fenced() const override { return m_recipe.isFenced(); }
    // A later session's nodes come before those of an earlier one, when they are ordered by name.
    std::string guidFor(std::uint32_t session) const override
    {
        return fmt::format("{:08x}-0000-4000-8000-{:012x}", 0xFFFFFFFF - session, 0);
    }
    std::string shownAs() const override
    {
        if (!m_recipe.isSequential())
            return "herd";
        return m_recipe.watched() == Watched::beforeByExists ? "exists-mutex" : "mutex";
    }
    bool before(std::string_view one, std::string_view other) const override
    {
        return numberOf(one) < numberOf(other);
    }
    bool holds(const Queue&, std::size_t place) const override { return place == 0; }
    bool compatible(const Queue& holders) const override { return holders.size() <= 1; }
    // That a herd is one is said of the recipe; it breaks nothing.
    std::size_t mayWake(const Queue& queue, std::size_t) const override
    {
        return m_recipe.isHerd() ? queue.size() : 1;
    }

private:
    const BuiltRecipe m_recipe;
};

} // namespace

std::shared_ptr<const Recipe> runnable(const BuiltRecipe& recipe)
{
    return std::make_shared<RunnableRecipe>(recipe);
}

} // namespace lockscope::explore
