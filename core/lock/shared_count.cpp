#include "core/lock/shared_count.h"

#include "core/lock/guaranteed_delete.h"
#include "core/lock/parents.h"
#include "core/lock/retry.h"

#include <map>
#include <optional>
#include <utility>

namespace lockscope::lock {

std::string countBytes(std::int32_t value)
{
    const auto bits = static_cast<std::uint32_t>(value);
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes.push_back(static_cast<char>(static_cast<unsigned char>(bits >> shift)));
    return bytes;
}

namespace {

std::optional<std::int32_t> fromBytes(std::string_view bytes)
{
    if (bytes.size() != 4)
        return std::nullopt;
    std::uint32_t bits = 0;
    for (const char byte : bytes)
        bits = bits << 8 | static_cast<unsigned char>(byte);
    return static_cast<std::int32_t>(bits);
}

Error errorFor(zk::Code code, const std::string& what, const std::string& path)
{
    const std::string failed = "Could not " + what + " the shared count " + path + ": ";
    switch (code) {
    case zk::Code::sessionLost:
    case zk::Code::closed:
        return Error{ErrorCode::sessionLost, failed + "the session is lost.", "Connect again."};
    case zk::Code::noAuth:
        return Error{ErrorCode::noAuth, failed + "not permitted.",
                     "Use a path that this client may read and write."};
    case zk::Code::noNode:
        return Error{ErrorCode::noNode, failed + "it does not exist.", "Start it first."};
    case zk::Code::badArguments:
        return Error{ErrorCode::badUsage, failed + "ZooKeeper does not take this path.",
                     "A path begins with a slash, has no empty part and does not end with a slash."};
    default:
        return Error{ErrorCode::internal, failed + std::string(describe(code)) + ".", ""};
    }
}

// Whether to ask again after this answer: at once when the connection is back, with growing pauses after a
// refusal.
zk::Task<bool> mayAskAgain(zk::SessionPtr session, zk::Code code, Retry* retry)
{
    if (code == zk::Code::unknown) {
        const bool connected = co_await untilConnected(std::move(session));
        co_return connected;
    }
    if (code != zk::Code::throttled && code != zk::Code::refused) {
        co_return false;
    }
    const std::optional<Duration> pause = retry->next();
    if (pause)
        co_await sleepFor(&session->scheduler(), *pause);
    co_return pause.has_value();
}

} // namespace

struct SharedCount::State : std::enable_shared_from_this<State>
{
    using Told = UniqueFunction<void(zk::Code)>;

    zk::SessionPtr session;
    std::string path;
    std::int32_t value;
    Zxid changedAt = Zxid::none(); // of the change that set the value: an older answer changes nothing
    bool readable = true;          // what the node held when it was last read was a count
    bool following = false;
    zk::WatchPtr watch;
    zk::Session::ListenerId sessionListener = 0;
    Listeners<std::int32_t> listeners;

    void look(Told told = {});
    void waitForTheNode();
    void take(const zk::Data& data);
    void apply(std::int32_t newValue, Zxid at);
    auto lookAgain()
    {
        return [weak = weak_from_this()] {
            if (const auto self = weak.lock())
                self->look();
        };
    }
};

// Reads the node and watches it; `told` gets the code.
void SharedCount::State::look(Told told)
{
    following = true;
    watch = session->getData(
        path, [again = lookAgain()](zk::WatchKind) { again(); },
        [weak = weak_from_this(), told = std::move(told)](const zk::Data& data) mutable {
            if (const auto self = weak.lock())
                self->take(data);
            if (told)
                told(data.code);
        });
}

void SharedCount::State::take(const zk::Data& data)
{
    if (data.code == zk::Code::noNode)
        waitForTheNode();
    if (data.code != zk::Code::ok)
        return; // unknown: we look again when the session is connected
    const std::optional<std::int32_t> read = fromBytes(data.bytes);
    readable = read.has_value();
    if (read)
        apply(*read, data.stat.mzxid);
}

// Somebody deleted it, and may make it again.
void SharedCount::State::waitForTheNode()
{
    watch = session->exists(
        path, [again = lookAgain()](zk::WatchKind) { again(); },
        [again = lookAgain()](const zk::StatReply& reply) {
            if (reply.code == zk::Code::ok)
                again();
        });
}

void SharedCount::State::apply(std::int32_t newValue, Zxid at)
{
    if (changedAt.valid() && at <= changedAt)
        return;
    changedAt = at;
    if (std::exchange(value, newValue) == newValue)
        return;
    const auto self = shared_from_this(); // a listener may let go of the count
    listeners.tell(newValue);
}

SharedCount::SharedCount(zk::SessionPtr session, std::string path, std::int32_t seed)
    : m_state(std::make_shared<State>())
{
    m_state->session = std::move(session);
    m_state->path = std::move(path);
    m_state->value = seed;
    m_state->sessionListener =
        m_state->session->listen([weak = std::weak_ptr(m_state)](zk::SessionPhase phase) {
            const auto state = weak.lock();
            if (state && phase == zk::SessionPhase::connected && state->following)
                state->look(); // changes may have been missed
        });
}

SharedCount::~SharedCount()
{
    m_state->session->unlisten(m_state->sessionListener);
    m_state->listeners.clear();
    m_state->watch.reset();
}

std::int32_t SharedCount::value() const { return m_state->value; }

const std::string& SharedCount::path() const { return m_state->path; }

SharedCount::ListenerId SharedCount::listen(std::function<void(std::int32_t)> changed)
{
    return m_state->listeners.add(std::move(changed));
}

void SharedCount::unlisten(ListenerId listener) { m_state->listeners.remove(listener); }

zk::Task<Result<std::int32_t>> SharedCount::start()
{
    const std::shared_ptr<State> state = m_state;
    const std::size_t name = state->path.rfind('/');
    const std::string parent = name == std::string::npos ? std::string{} : state->path.substr(0, name);
    Retry retry(RetryPolicy{}, 1);
    zk::Code code = zk::Code::unknown; // it may be connecting still
    for (;;) {
        const bool again = co_await mayAskAgain(state->session, code, &retry);
        if (!again) {
            co_return errorFor(code == zk::Code::unknown ? zk::Code::sessionLost : code, "start",
                               state->path);
        }
        zk::Pending<zk::Created> created;
        state->session->create(state->path, countBytes(state->value), zk::CreateMode::persistent,
                               created.handler());
        const zk::Created result = co_await created.arrival();
        code = result.code;
        if (code == zk::Code::noNode && !parent.empty()) {
            code = co_await makeParents(state->session, parent);
            code = code == zk::Code::ok ? zk::Code::unknown : code; // now ask again
            continue;
        }
        if (code != zk::Code::ok && code != zk::Code::nodeExists)
            continue;
        zk::Pending<zk::Code> read;
        state->look(read.handler());
        code = co_await read.arrival();
        if (code == zk::Code::ok)
            break;
        if (code == zk::Code::noNode)
            code = zk::Code::unknown; // somebody deleted it in between
    }
    if (!state->readable) {
        co_return Error{ErrorCode::badInput, "The node " + state->path + " does not hold a count of 4 bytes.",
                        "Use another path, or delete the node."};
    }
    co_return state->value;
}

zk::Task<Result<void>> SharedCount::set(std::int32_t value)
{
    const std::shared_ptr<State> state = m_state;
    Retry retry(RetryPolicy{}, 1);
    for (;;) {
        zk::Pending<zk::StatReply> written;
        state->session->setData(state->path, countBytes(value), written.handler());
        const zk::StatReply reply = co_await written.arrival();
        if (reply.code == zk::Code::ok) {
            state->apply(value, reply.stat.mzxid);
            co_return Result<void>{};
        }
        const bool again = co_await mayAskAgain(state->session, reply.code, &retry);
        if (!again) {
            co_return errorFor(reply.code == zk::Code::unknown ? zk::Code::sessionLost : reply.code, "set",
                               state->path);
        }
    }
}

} // namespace lockscope::lock
