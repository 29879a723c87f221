#include "core/lock/multi_lock.h"

#include "core/lock/internal/clean_up.h"
#include "core/lock/internal/guaranteed_delete.h"
#include "core/lock/internal/lock_core.h"
#include "core/lock/internal/reasons.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace lockscope::lock {

namespace {

// Releases that run in parallel.
struct ReleaseBatch
{
    explicit ReleaseBatch(zk::Scheduler& scheduler)
        : changed(scheduler)
    {}
    zk::Signal changed;
    std::size_t open = 0;
    bool timeIsUp = false;
    std::map<std::size_t, Error> errors; // by part
};

using Parts = std::set<std::size_t>;

std::vector<std::shared_ptr<Lock>> checked(std::vector<std::shared_ptr<Lock>> parts)
{
    if (parts.empty() || std::ranges::find(parts, nullptr) != parts.end())
        throw std::invalid_argument("A multi-lock needs one lock or more, and none of them null.");
    return parts;
}

class Acquisition;

struct MultiLockCore final : LockCore, std::enable_shared_from_this<MultiLockCore>
{
    struct Held
    {
        std::uint16_t depth = 0;
        bool lost = false; // a part was lost
    };

    MultiLockCore(std::vector<std::shared_ptr<Lock>> given, Duration cleanUpTimeout); // as checked()
    ~MultiLockCore() override;
    zk::Task<Result<Grant>> acquire(std::shared_ptr<LockCore> self, OwnerId owner,
                                    std::optional<Duration> limit, LinkedCancelToken cancel) override;
    zk::Task<Result<void>> release(std::shared_ptr<LockCore> self, OwnerId owner) override;
    std::uint16_t depth(OwnerId owner) const override;
    const std::string& path() const override { return itsPath; }
    void shutDown() override;
    void explainTimeouts() override
    {
        for (const std::shared_ptr<Lock>& part : parts)
            part->explainTimeouts();
    }
    std::optional<Refusal> takeRefusal(OwnerId owner) override
    {
        std::optional<Refusal> refusal;
        for (const std::shared_ptr<Lock>& part : parts) // one of them timed out, and ended the acquire
            if (auto ofPart = part->takeRefusal(owner))
                refusal = std::move(ofPart);
        return refusal;
    }
    void subscribe();

    std::vector<std::shared_ptr<Lock>> parts; // in the order in which they are acquired
    Duration cleanUpTimeout;
    std::string itsPath;
    std::map<OwnerId, Held> held;
    // Parts whose release the server refused: they are still held.
    std::map<OwnerId, Parts> refused;
    std::map<OwnerId, Acquisition*> taking;
    std::vector<ListenerId> partListeners;

    void partLost(std::size_t part, OwnerId owner);
    // Static, because they may start after the lock is destroyed: they own everything that they need.
    static zk::Task<void> releaseOne(std::shared_ptr<MultiLockCore> state, OwnerId owner, std::size_t part,
                                     std::shared_ptr<ReleaseBatch> tally);
    static zk::Task<std::optional<Error>> releaseParts(std::shared_ptr<MultiLockCore> state, Parts which,
                                                       OwnerId owner, Duration patience);
    static zk::Task<std::optional<Error>> releaseLevels(std::shared_ptr<MultiLockCore> state, OwnerId owner,
                                                        std::uint16_t levels);
    std::optional<Error> refusal(OwnerId owner) const; // the error of an acquire that cannot start, if any
    Error notHeld(OwnerId owner) const;
    bool isHeld(OwnerId owner) const
    {
        const auto found = held.find(owner);
        return found != held.end() && !found->second.lost;
    }
    bool allRefused(OwnerId owner) const // all parts are still held
    {
        const auto found = refused.find(owner);
        return found != refused.end() && found->second.size() == parts.size();
    }
    void forgetRefused(OwnerId owner, std::size_t part)
    {
        const auto found = refused.find(owner);
        if (found != refused.end() && found->second.erase(part) > 0 && found->second.empty())
            refused.erase(found);
    }
};

// One acquire: the parts that it holds so far, and the reasons to end it early.
class Acquisition
{
public:
    Acquisition(std::shared_ptr<MultiLockCore> state, OwnerId owner, LinkedCancelToken cancel)
        : m_state(std::move(state))
        , m_owner(owner)
        , m_cancel(std::move(cancel))
        , m_reenters(m_state->isHeld(owner))
    {
        m_state->taking[m_owner] = this;
    }
    ~Acquisition() { m_state->taking.erase(m_owner); }
    Acquisition(const Acquisition&) = delete;
    Acquisition& operator=(const Acquisition&) = delete;

    zk::Task<Result<std::vector<PartToken>>> run(std::optional<Duration> limit);
    void partLost(std::size_t part)
    {
        if ((m_reenters || m_taken.contains(part)) && !m_lost)
            m_lost = part;
        if (m_lost)
            m_cancel.request();
    }
    void close()
    {
        m_closed = true;
        m_cancel.request();
    }

private:
    zk::Task<Result<std::vector<PartToken>>> acquireAll(std::optional<Duration> limit);
    void onPartAcquired(std::size_t part, const Grant& grant);

    std::shared_ptr<MultiLockCore> m_state;
    OwnerId m_owner;
    LinkedCancelToken m_cancel; // passed to the parts
    bool m_reenters;            // the owner holds all parts already
    Parts m_taken;
    std::vector<PartToken> m_tokens; // of the acquired parts, in the order of acquisition
    std::optional<std::size_t> m_lost;
    bool m_closed = false;
};

// A nested multi-lock has a token for each of its parts.
void Acquisition::onPartAcquired(std::size_t part, const Grant& grant)
{
    m_taken.insert(part);
    m_state->forgetRefused(m_owner, part);
    if (grant.parts.empty())
        m_tokens.push_back({m_state->parts[part]->path(), grant.token});
    else
        m_tokens.insert(m_tokens.end(), grant.parts.begin(), grant.parts.end());
}

zk::Task<Result<std::vector<PartToken>>> Acquisition::acquireAll(std::optional<Duration> limit)
{
    zk::Scheduler& scheduler = m_state->scheduler;
    const MonotonicTime begin = scheduler.now();
    for (std::size_t part = 0; part < m_state->parts.size() && !m_lost && !m_closed; ++part) {
        std::optional<Duration> left = limit;
        if (limit) // zero when the limit has passed: a single try does no harm then
            left = std::max(Duration{}, *limit - (scheduler.now() - begin));
        const Result<Grant> grant = co_await m_state->parts[part]->acquire(m_owner, left, m_cancel.get());
        if (!grant && !m_lost && !m_closed) {
            co_return grant.error();
        }
        if (grant)
            onPartAcquired(part, *grant);
    }
    if (m_lost) {
        Result<void> released;
        if (m_taken.erase(*m_lost) > 0)
            released = co_await m_state->parts[*m_lost]->release(m_owner); // its error gives the reason
        const Message what =
            message("The lock %1 was not acquired: a part of it was lost.", m_state->itsPath);
        co_return released
            ? Error{ErrorCode::sessionLost, what, {}}
            : Error{released.error().code, joined(what, released.error().message), released.error().hint};
    }
    if (m_closed) {
        co_return Error{ErrorCode::closed,
                        message("The lock %1 was not acquired: it was destroyed.", m_state->itsPath),
                        {}};
    }
    co_return std::move(m_tokens);
}

zk::Task<Result<std::vector<PartToken>>> Acquisition::run(std::optional<Duration> limit)
{
    Result<std::vector<PartToken>> taken = co_await acquireAll(limit);
    if (taken) {
        co_return taken;
    }
    const std::optional<Error> rest =
        co_await MultiLockCore::releaseParts(m_state, m_taken, m_owner, m_state->cleanUpTimeout);
    if (rest && rest->code == ErrorCode::noAuth) {
        co_return withCleanUpError(taken.error(), rest);
    }
    co_return taken;
}

void MultiLockCore::partLost(std::size_t part, OwnerId owner)
{
    const auto self = shared_from_this(); // a listener may destroy the lock
    if (const auto op = taking.find(owner); op != taking.end())
        op->second->partLost(part);
    const bool wasHeld = allRefused(owner);
    forgetRefused(owner, part);
    const auto found = held.find(owner);
    if (found == held.end() ? !wasHeld : found->second.lost)
        return;
    if (found != held.end())
        found->second.lost = true;
    lostListeners.notify(owner);
}

zk::Task<void> MultiLockCore::releaseOne(std::shared_ptr<MultiLockCore> state, OwnerId owner,
                                         std::size_t part, std::shared_ptr<ReleaseBatch> tally)
{
    state->forgetRefused(owner, part);
    const Result<void> released = co_await state->parts[part]->release(owner);
    if (!released) {
        if (released.error().code == ErrorCode::noAuth)
            state->refused[owner].insert(part);
        tally->errors.emplace(part, released.error());
    }
    --tally->open;
    tally->changed.notify();
}

// Releases one level of each part, in parallel, so that an unreachable part does not delay the others.
// Returns the first error of the releases that ended in time.
zk::Task<std::optional<Error>> MultiLockCore::releaseParts(std::shared_ptr<MultiLockCore> state, Parts which,
                                                           OwnerId owner, Duration patience)
{
    zk::Scheduler& scheduler = state->scheduler;
    const auto tally = std::make_shared<ReleaseBatch>(scheduler);
    tally->open = which.size();
    for (auto part = which.rbegin(); part != which.rend(); ++part) // in reverse order of acquisition
        runInBackground(scheduler, releaseOne(state, owner, *part, tally));
    zk::Scheduler::TimerId timer = 0;
    if (patience != kForever)
        timer = scheduler.after(patience, [tally] {
            tally->timeIsUp = true;
            tally->changed.notify();
        });
    while (tally->open > 0 && !tally->timeIsUp)
        co_await tally->changed.next();
    scheduler.cancel(timer);
    if (tally->errors.empty()) {
        co_return std::nullopt;
    }
    co_return tally->errors.begin()->second;
}

zk::Task<std::optional<Error>> MultiLockCore::releaseLevels(std::shared_ptr<MultiLockCore> state,
                                                            OwnerId owner, std::uint16_t levels)
{
    Parts all;
    for (std::size_t part = 0; part < state->parts.size(); ++part)
        all.insert(part);
    std::optional<Error> first;
    for (; levels > 0; --levels) {
        const std::optional<Error> failed = co_await releaseParts(state, all, owner, kForever);
        first = first ? first : failed;
    }
    co_return first;
}

Error MultiLockCore::notHeld(OwnerId owner) const
{
    return Error{ErrorCode::notOwner,
                 message("The lock %1 is not held by %2.", itsPath, message("thread %1", owner.value)),
                 message("Release exactly as often as you acquired, by the same owner.")};
}

std::optional<Error> MultiLockCore::refusal(OwnerId owner) const
{
    const auto twice = std::adjacent_find(
        parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a->path() == b->path(); });
    if (twice != parts.end())
        return Error{ErrorCode::badUsage,
                     message("The path %1 occurs twice in the multi-lock %2.", (*twice)->path(), itsPath),
                     message("Give it each path once.")};
    if (taking.contains(owner))
        return Error{
            ErrorCode::busy,
            message("%1 is already waiting for the lock %2.", message("Thread %1", owner.value), itsPath),
            message("Give every logical thread an owner of its own.")};
    if (isHeld(owner) && held.at(owner).depth == kMaxDepth)
        return tooDeepError(itsPath);
    return std::nullopt;
}

MultiLockCore::MultiLockCore(std::vector<std::shared_ptr<Lock>> given, Duration timeout)
    : LockCore(given.front()->scheduler())
    , parts(std::move(given))
    , cleanUpTimeout(timeout)
{
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto& a, const auto& b) { return a->path() < b->path(); });
    for (const std::shared_ptr<Lock>& part : parts)
        itsPath += (itsPath.empty() ? "" : " + ") + part->path();
}

MultiLockCore::~MultiLockCore()
{
    for (std::size_t i = 0; i < partListeners.size(); ++i)
        parts[i]->removeLostListener(partListeners[i]);
}

void MultiLockCore::subscribe()
{
    for (std::size_t i = 0; i < parts.size(); ++i)
        partListeners.push_back(parts[i]->onLost([weak = weak_from_this(), i](OwnerId owner) {
            if (const auto self = weak.lock())
                self->partLost(i, owner);
        }));
}

zk::Task<void> inBackground(zk::Task<std::optional<Error>> work) { co_await std::move(work); }

void MultiLockCore::shutDown()
{
    isShutDown = true;
    lostListeners.clear();
    for (const auto& [owner, op] : taking)
        op->close();
    for (const auto& [owner, level] : std::exchange(held, {}))
        runInBackground(scheduler, inBackground(releaseLevels(shared_from_this(), owner, level.depth)));
}

zk::Task<Result<Grant>> MultiLockCore::acquire([[maybe_unused]] std::shared_ptr<LockCore> self, OwnerId owner,
                                               std::optional<Duration> limit, LinkedCancelToken linked)
{
    const std::shared_ptr<MultiLockCore> state = shared_from_this();
    if (state->isShutDown) {
        co_return destroyedError(state->itsPath);
    }
    if (const auto error = state->refusal(owner)) {
        co_return *error;
    }
    Acquisition acquisition(state, owner, std::move(linked));
    const auto before = state->held.find(owner);
    if (before != state->held.end() && before->second.lost) { // release the parts that are still held
        const std::uint16_t levels = before->second.depth;
        state->held.erase(before);
        co_await releaseLevels(state, owner, levels);
    }
    Result<std::vector<PartToken>> taken = co_await acquisition.run(limit);
    if (!taken) {
        co_return taken.error();
    }
    const std::uint16_t depthNow = ++state->held[owner].depth;
    co_return Grant{{}, std::nullopt, depthNow, std::move(*taken)};
}

zk::Task<Result<void>> MultiLockCore::release([[maybe_unused]] std::shared_ptr<LockCore> self, OwnerId owner)
{
    const std::shared_ptr<MultiLockCore> state = shared_from_this();
    if (state->isShutDown) {
        co_return destroyedError(state->itsPath);
    }
    const auto found = state->held.find(owner);
    if (found == state->held.end()) {
        const auto left = state->refused.find(owner);
        if (left == state->refused.end()) {
            co_return state->notHeld(owner);
        }
        const std::optional<Error> again = co_await releaseParts(state, left->second, owner, kForever);
        co_return again ? Result<void>(*again) : Result<void>{};
    }
    const std::uint16_t levels = found->second.lost ? found->second.depth : std::uint16_t{1};
    found->second.depth = static_cast<std::uint16_t>(found->second.depth - levels);
    if (found->second.depth == 0)
        state->held.erase(found);
    const std::optional<Error> failed = co_await releaseLevels(state, owner, levels);
    co_return failed ? Result<void>(*failed) : Result<void>{};
}

std::uint16_t MultiLockCore::depth(OwnerId owner) const
{
    const auto found = held.find(owner);
    if (found == held.end())
        return allRefused(owner) ? 1 : 0;
    return found->second.lost ? std::uint16_t{0} : found->second.depth;
}

std::shared_ptr<LockCore> makeMultiLockCore(std::vector<std::shared_ptr<Lock>> parts, Duration cleanUpTimeout)
{
    const auto core = std::make_shared<MultiLockCore>(checked(std::move(parts)), cleanUpTimeout);
    core->subscribe();
    return core;
}

} // namespace

MultiLock::MultiLock(std::vector<std::shared_ptr<Lock>> parts, Timeouts timeouts)
    : RecipeLock(makeMultiLockCore(std::move(parts), timeouts.cleanUp))
{}

} // namespace lockscope::lock
