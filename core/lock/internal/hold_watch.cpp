#include "core/lock/internal/hold_watch.h"

#include "core/lock/retry.h"
#include "core/queue/words.h"

namespace lockscope::lock {

struct HoldWatch::State : std::enable_shared_from_this<State>
{
    LockNodeClient nodeClient;
    std::string node;
    std::function<void(EventIndex)> gone;
    std::function<void()> revoked;
    zk::WatchPtr watch;
    bool watchPending = false;        // the watch is set or requested
    bool ended = false;               // no callback may be called anymore
    zk::Scheduler::TimerId timer = 0; // of the next refresh; 0: none is due
    zk::Session::ListenerId listener = 0;
    Retry retry = unlimitedRetry(); // reset when the watch is set

    State(LockNodeClient w, std::string n)
        : nodeClient(std::move(w))
        , node(std::move(n))
    {}
    void refreshAfter(Duration pause);
    void refresh();
    void take(const Answer<zk::Data>& answer);
    void notifyGone(EventIndex event);
};

void HoldWatch::State::notifyGone(EventIndex event)
{
    if (std::exchange(ended, true))
        return;
    const auto self = shared_from_this(); // `gone` may destroy the watch
    gone(event);
}

void HoldWatch::State::refreshAfter(Duration pause)
{
    if (timer != 0)
        return;
    timer = nodeClient.session().scheduler().after(pause, [weak = weak_from_this()] {
        if (const auto self = weak.lock()) {
            self->timer = 0;
            self->refresh();
        }
    });
}

// Without a connection it does nothing: the next connect refreshes.
void HoldWatch::State::refresh()
{
    if (ended || watchPending || timer != 0 || nodeClient.session().phase() != zk::SessionPhase::connected)
        return;
    watchPending = true;
    watch = nodeClient.watch(
        node,
        [weak = weak_from_this()](zk::WatchKind kind, EventIndex event) {
            const auto self = weak.lock();
            if (!self || self->ended)
                return;
            self->watchPending = false;
            if (kind == zk::WatchKind::deleted)
                self->notifyGone(event);
            else
                self->refresh();
        },
        [weak = weak_from_this()](const Answer<zk::Data>& answer) {
            const auto self = weak.lock();
            if (self && !self->ended)
                self->take(answer);
        },
        EventIndex::none());
}

// After any code but ok and noNode, no watch is set: either the reply was lost, possibly with a connection
// that has already recovered, or the server refused.
void HoldWatch::State::take(const Answer<zk::Data>& answer)
{
    const zk::Code code = answer.value.code;
    if (code == zk::Code::noNode) {
        notifyGone(answer.event);
        return;
    }
    watchPending = code == zk::Code::ok;
    if (!watchPending) {
        refreshAfter(*retry.next(nodeClient.session().id()));
        return;
    }
    retry = unlimitedRetry();
    if (answer.value.bytes == queue::kRevokeMessage && revoked)
        std::exchange(revoked, nullptr)();
}

HoldWatch::HoldWatch(LockNodeClient nodeClient, std::string node, Duration after,
                     std::function<void(EventIndex)> gone, std::function<void()> revoked)
    : m_state(std::make_shared<State>(std::move(nodeClient), std::move(node)))
{
    m_state->gone = std::move(gone);
    m_state->revoked = std::move(revoked);
    if (after <= Duration{})
        m_state->refresh();
    else
        m_state->refreshAfter(after);
    zk::Session& session = m_state->nodeClient.session();
    m_state->listener = session.addListener([weak = std::weak_ptr(m_state)](zk::SessionPhase phase) {
        const auto state = weak.lock();
        if (state && phase == zk::SessionPhase::connected)
            state->refresh();
    });
}

HoldWatch::~HoldWatch()
{
    m_state->ended = true;
    m_state->watch.reset();
    m_state->nodeClient.session().scheduler().cancel(m_state->timer);
    m_state->nodeClient.session().removeListener(m_state->listener);
}

} // namespace lockscope::lock
