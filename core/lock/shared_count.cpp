#include "core/lock/shared_count.h"

#include "core/base/node_path.h"
#include "core/lock/internal/op_control.h"
#include "core/lock/internal/parents.h"
#include "core/lock/internal/user_listeners.h"
#include "core/lock/retry.h"

#include <optional>
#include <utility>

namespace lockscope::lock {

std::string encodeCount(std::int32_t value)
{
    const auto bits = static_cast<std::uint32_t>(value);
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes.push_back(static_cast<char>(static_cast<unsigned char>(bits >> shift)));
    return bytes;
}

namespace {

std::optional<std::int32_t> decodeCount(std::string_view bytes)
{
    if (bytes.size() != 4)
        return std::nullopt;
    std::uint32_t bits = 0;
    for (const char byte : bytes)
        bits = bits << 8 | static_cast<unsigned char>(byte);
    return static_cast<std::int32_t>(bits);
}

// `what`: "start" or "set". `right` and `node`: the permission that is missing after noAuth, and where.
Error countError(zk::Code code, const Message& what, const std::string& path, const char* right,
                 const std::string& node)
{
    switch (code) {
    case zk::Code::unknown: // retried until the session was over
    case zk::Code::sessionLost:
    case zk::Code::closed:
        return Error{ErrorCode::sessionLost,
                     message("Could not %1 the shared count %2: the session is lost.", what, path),
                     message("Connect again.")};
    case zk::Code::authRequired:
        return Error{ErrorCode::noAuth,
                     message("Could not %1 the shared count %2: %3.", what, path, describe(code)),
                     message("Give the client a credential that the server demands.")};
    case zk::Code::noAuth:
        return Error{ErrorCode::noAuth,
                     message("Could not %1 the shared count %2: not permitted.", what, path),
                     message("Use a path that this client may read and write."), right, node};
    case zk::Code::noNode:
        return Error{ErrorCode::noNode,
                     message("Could not %1 the shared count %2: it does not exist.", what, path),
                     message("Start it first.")};
    case zk::Code::badArguments:
        return Error{
            ErrorCode::badUsage,
            message("Could not %1 the shared count %2: ZooKeeper does not accept this path.", what, path),
            message("A path begins with a slash, has no empty part and does not end with a slash.")};
    case zk::Code::noChildrenForEphemerals:
        return Error{ErrorCode::badUsage,
                     message("Could not %1 the shared count %2: %3.", what, path, describe(code)),
                     message("Use another path.")};
    default:
        return Error{ErrorCode::internal,
                     message("Could not %1 the shared count %2: %3.", what, path, describe(code)),
                     {}};
    }
}

// The error of a start() that was stopped.
Error stoppedError(ErrorCode why, const std::string& path)
{
    switch (why) {
    case ErrorCode::timedOut:
        return Error{ErrorCode::timedOut,
                     message("Could not %1 the shared count %2: the server did not answer in time.",
                             message("start"), path),
                     {}};
    case ErrorCode::cancelled:
        return Error{
            ErrorCode::cancelled,
            message("Could not %1 the shared count %2: the operation was canceled.", message("start"), path),
            {}};
    default:
        //: a verb, in "Could not start the shared count"
        return countError(zk::Code::sessionLost, message("start"), path, nullptr, {});
    }
}

// Waits before a retry, at most until the operation is stopped: for the connection after an unknown outcome,
// for a growing pause after a temporary refusal. False: do not retry.
zk::Task<bool> waitBeforeRetry(OpControl& control, zk::Code code, Retry* retry)
{
    zk::Session& session = control.session();
    if (code == zk::Code::unknown) {
        co_await control.waitUntilConnectedOrStopped();
        co_return !control.stopped();
    }
    if (code != zk::Code::throttled && code != zk::Code::refused) {
        co_return false;
    }
    const std::optional<Duration> pause = retry->next(session.id());
    if (pause)
        co_await control.pauseFor(*pause);
    co_return pause.has_value();
}

// Whether `version` is the next one after `before`.
bool isNextVersion(std::int32_t version, std::int32_t before) { return std::int64_t{version} - before == 1; }

} // namespace

struct SharedCount::State : std::enable_shared_from_this<State>
{
    using Answered = UniqueFunction<void(zk::Code)>;
    State(zk::SessionPtr given, std::string where, std::int32_t seed, Timeouts patience)
        : session(std::move(given))
        , path(std::move(where))
        , timeouts(patience)
        , known{seed}
        , listeners(session->scheduler())
    {}

    zk::SessionPtr session;
    std::string path;
    Timeouts timeouts;
    VersionedCount known;
    Zxid changedAt = Zxid::none(); // mzxid of the last known change; older answers are ignored
    bool readable = true;          // the data read last were a count
    bool following = false;
    Retry retry = unlimitedRetry(); // of refresh()
    zk::Scheduler::TimerId pause = 0;
    zk::WatchPtr watch;
    zk::Session::ListenerId sessionListener = 0;
    UserListeners<std::int32_t> listeners;

    void shutDown();
    void refresh(Answered answered = {});
    void watchForNode();
    void scheduleRefresh(zk::Code code);
    void update(const zk::Data& data);
    void apply(VersionedCount now, Zxid at);
    auto makeRefresh()
    {
        return [weak = weak_from_this()] {
            if (const auto self = weak.lock())
                self->refresh();
        };
    }
    // Static: these coroutines own everything that they need.
    static zk::Task<Result<std::int32_t>> start(std::shared_ptr<State> state, std::optional<Duration> limit,
                                                CancelToken cancel);
    static zk::Task<Result<void>> set(std::shared_ptr<State> state, std::int32_t value);
    static zk::Task<Result<bool>> trySet(std::shared_ptr<State> state, VersionedCount previous,
                                         std::int32_t value);
    static zk::Task<zk::Data> read(std::shared_ptr<State> state);
    static zk::Task<zk::StatReply> write(std::shared_ptr<State> state, std::int32_t value,
                                         std::int32_t version);
};

// Reads the node and watches it; `answered` is called with the code.
void SharedCount::State::refresh(Answered answered)
{
    following = true;
    session->scheduler().cancel(std::exchange(pause, 0));
    watch = session->getData(
        path, [again = makeRefresh()](zk::WatchKind) { again(); },
        [weak = weak_from_this(), answered = std::move(answered)](const zk::Data& data) mutable {
            if (const auto self = weak.lock()) {
                self->update(data);
                self->scheduleRefresh(data.code);
                if (data.code == zk::Code::noNode)
                    self->watchForNode();
            }
            if (answered)
                answered(data.code);
        });
}

// After the node was deleted: watches for its creation.
void SharedCount::State::watchForNode()
{
    watch = session->exists(
        path, [again = makeRefresh()](zk::WatchKind) { again(); },
        [weak = weak_from_this()](const zk::StatReply& reply) {
            const auto self = weak.lock();
            if (self && reply.code == zk::Code::ok)
                self->refresh();
            else if (self)
                self->scheduleRefresh(reply.code);
        });
}

// Refreshes after a pause if the answer set no watch. Without a connection, the next connect refreshes.
void SharedCount::State::scheduleRefresh(zk::Code code)
{
    if (code == zk::Code::ok || code == zk::Code::noNode)
        retry = unlimitedRetry();
    else if (following && !zk::isFinal(code) && session->phase() == zk::SessionPhase::connected && pause == 0)
        pause = session->scheduler().after(*retry.next(session->id()), makeRefresh());
}

void SharedCount::State::update(const zk::Data& data)
{
    if (data.code != zk::Code::ok)
        return;
    const std::optional<std::int32_t> value = decodeCount(data.bytes);
    readable = value.has_value();
    if (value)
        apply({*value, data.stat.version}, data.stat.mzxid);
}

void SharedCount::State::apply(VersionedCount now, Zxid at)
{
    if (changedAt.valid() && at <= changedAt)
        return;
    changedAt = at;
    if (std::exchange(known, now).value == now.value)
        return;
    const auto self = shared_from_this(); // a listener may destroy the count
    listeners.notify(now.value);
}

// Returns the current data. The sync is needed because our server of an ensemble may lag.
zk::Task<zk::Data> SharedCount::State::read(std::shared_ptr<State> state)
{
    zk::Pending<zk::Code> synced;
    state->session->sync(state->path, synced.handler());
    zk::Pending<zk::Data> got;
    state->session->getData(state->path, got.handler());
    const zk::Code sync = co_await synced.arrival();
    zk::Data data = co_await got.arrival();
    state->update(data);
    if (data.code == zk::Code::ok)
        data.code = sync;
    co_return data;
}

zk::Task<zk::StatReply> SharedCount::State::write(std::shared_ptr<State> state, std::int32_t value,
                                                  std::int32_t version)
{
    zk::Pending<zk::StatReply> written;
    state->session->setData(state->path, encodeCount(value), version, written.handler());
    const zk::StatReply reply = co_await written.arrival();
    if (reply.code == zk::Code::ok)
        state->apply({value, reply.stat.version}, reply.stat.mzxid);
    co_return reply;
}

SharedCount::SharedCount(zk::SessionPtr session, std::string path, std::int32_t seed, Timeouts timeouts)
    : m_state(std::make_shared<State>(std::move(session), std::move(path), seed, timeouts))
{
    m_state->sessionListener =
        m_state->session->addListener([weak = m_state->weak_from_this()](zk::SessionPhase phase) {
            const auto state = weak.lock();
            if (state && phase == zk::SessionPhase::connected && state->following)
                state->refresh(); // changes may have been missed
        });
}

void SharedCount::State::shutDown()
{
    session->removeListener(sessionListener);
    session->scheduler().cancel(pause);
    listeners.clear();
    following = false;
    watch.reset();
}

std::int32_t SharedCount::value() const { return m_state->known.value; }

VersionedCount SharedCount::versioned() const { return m_state->known; }

const std::string& SharedCount::path() const { return m_state->path; }

SharedCount::executor_type SharedCount::get_executor() { return m_state->session->scheduler().executor(); }

SharedCount::ListenerId SharedCount::addListener(std::function<void(std::int32_t)> changed)
{
    return m_state->listeners.add(std::move(changed));
}

void SharedCount::removeListener(ListenerId listener) { m_state->listeners.remove(listener); }

zk::Task<Result<std::int32_t>> SharedCount::start(std::optional<Duration> limit, CancelToken cancel)
{
    return State::start(m_state.shared(), limit, std::move(cancel))
        .onScheduler(m_state->session->scheduler());
}

zk::Task<Result<std::int32_t>> SharedCount::State::start(std::shared_ptr<State> state,
                                                         std::optional<Duration> limit, CancelToken cancel)
{
    if (const std::optional<Error> wrong = checkNodePath(state->path)) {
        co_return *wrong;
    }
    const std::size_t name = state->path.rfind('/');
    const std::string parent = name == std::string::npos ? std::string{} : state->path.substr(0, name);
    OpControl control(state->session, limit, cancel, nullptr, state->timeouts);
    Retry retry(RetryPolicy{});
    zk::Code code = zk::Code::unknown; // the session may still be connecting
    const char* right = "create";      // the permission that the last request needed; `node`: where
    std::string node;
    for (;;) {
        const bool again = co_await waitBeforeRetry(control, code, &retry);
        if (control.stopped()) {
            co_return stoppedError(*control.shared()->stopped, state->path);
        }
        if (!again) {
            co_return countError(code, message("start"), state->path, right, node);
        }
        right = "create";
        node = parent.empty() ? "/" : parent;
        zk::Pending<zk::Created> created;
        state->session->create(state->path, encodeCount(state->known.value), zk::CreateMode::persistent,
                               control.deliver(created));
        co_await control.answered(created);
        code = created.ready() ? created.take().code : zk::Code::unknown; // unknown: it was stopped
        if (code == zk::Code::noNode) {
            if (parent.empty())
                co_return missingRoot();
            const ParentsResult parents = co_await makeParents(control, parent);
            if (parents.code == zk::Code::noNode)
                co_return missingRoot();
            code = parents.code == zk::Code::ok ? zk::Code::unknown : parents.code; // now create it again
            node = parents.refusedAt;
            continue;
        }
        if (code != zk::Code::ok && code != zk::Code::nodeExists)
            continue;
        right = "read";
        node = state->path;
        zk::Pending<zk::Code> read;
        state->refresh(control.deliver(read));
        co_await control.answered(read);
        code = read.ready() ? read.take() : zk::Code::unknown;
        if (code == zk::Code::ok)
            break;
        if (code == zk::Code::noNode)
            code = zk::Code::unknown; // it was deleted in between
    }
    if (!state->readable) {
        co_return Error{ErrorCode::badInput,
                        message("The node %1 does not contain a 4-byte count.", state->path),
                        message("Use another path, or delete the node.")};
    }
    co_return state->known.value;
}

// Each write names the version that was read before it, so no write is applied twice, or late. After a lost
// reply, the node shows the outcome. Unchanged: the write is repeated. The next version with another value:
// another client wrote first, so ours was refused and is repeated. Anything else: ours may have been applied
// before the present value, which is kept.
zk::Task<Result<void>> SharedCount::set(std::int32_t value)
{
    return State::set(m_state.shared(), value).onScheduler(m_state->session->scheduler());
}

zk::Task<Result<void>> SharedCount::State::set(std::shared_ptr<State> state, std::int32_t value)
{
    OpControl control(state->session, std::nullopt, CancelToken::never(), nullptr);
    Retry retry(RetryPolicy{});
    std::optional<zk::Stat> uncertain; // the node before a write whose reply was lost
    for (;;) {
        const zk::Data now = co_await State::read(state);
        zk::Code code = now.code;
        if (code == zk::Code::ok && uncertain && now.stat.mzxid != uncertain->mzxid) {
            const bool refused = now.stat.czxid == uncertain->czxid &&
                                 isNextVersion(now.stat.version, uncertain->version) &&
                                 now.bytes != encodeCount(value);
            if (!refused) {
                co_return Result<void>{};
            }
            uncertain.reset();
        }
        if (code == zk::Code::ok) {
            const zk::StatReply reply = co_await State::write(state, value, now.stat.version);
            code = reply.code;
            if (code == zk::Code::ok) {
                co_return Result<void>{};
            }
            if (code == zk::Code::unknown)
                uncertain = now.stat;
            if (code == zk::Code::badVersion)
                continue; // another client was quicker
        }
        const bool again = co_await waitBeforeRetry(control, code, &retry);
        if (!again) {
            //: a verb, in "Could not set the shared count"
            co_return countError(code, message("set"), state->path, "write", state->path);
        }
    }
}

zk::Task<Result<bool>> SharedCount::trySet(VersionedCount previous, std::int32_t value)
{
    return State::trySet(m_state.shared(), previous, value).onScheduler(m_state->session->scheduler());
}

zk::Task<Result<bool>> SharedCount::State::trySet(std::shared_ptr<State> state, VersionedCount previous,
                                                  std::int32_t value)
{
    if (previous.version < 0) {
        co_return Error{
            ErrorCode::badUsage,
            message("The shared count %1 has not been read yet, so there is no version to replace.",
                    state->path),
            message("Start it first.")};
    }
    OpControl control(state->session, std::nullopt, CancelToken::never(), nullptr);
    Retry retry(RetryPolicy{});
    bool uncertain = false; // a reply was lost
    for (;;) {
        const zk::StatReply reply = co_await State::write(state, value, previous.version);
        zk::Code code = reply.code;
        if (code == zk::Code::ok) {
            co_return true;
        }
        uncertain = uncertain || code == zk::Code::unknown;
        if (code == zk::Code::badVersion) {
            const zk::Data now = co_await State::read(state);
            code = now.code;
            if (!uncertain) {
                co_return false;
            }
            if (code == zk::Code::ok && isNextVersion(now.stat.version, previous.version) &&
                now.bytes != encodeCount(value)) {
                co_return false;
            }
            if (code == zk::Code::ok) {
                co_return Error{
                    ErrorCode::connectionLost,
                    message("The connection was lost while the shared count %1 was being set: it may have "
                            "been set or not.",
                            state->path),
                    message("Read its value to find out.")};
            }
        }
        const bool again = co_await waitBeforeRetry(control, code, &retry);
        if (!again) {
            co_return countError(code, message("set"), state->path, "write", state->path);
        }
    }
}

} // namespace lockscope::lock
