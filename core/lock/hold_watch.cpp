#include "core/lock/hold_watch.h"

#include "core/lock/retry.h"

namespace lockscope::lock {

struct HoldWatch::State : std::enable_shared_from_this<State>
{
    Wire wire;
    std::string node;
    std::function<void(EventIndex)> gone;
    std::function<void()> revoked;
    zk::WatchPtr watch;
    bool looking = false;             // the watch is set, or on its way
    bool ended = false;               // nothing more to tell
    zk::Scheduler::TimerId timer = 0; // of the next look; 0: none is due
    zk::Session::ListenerId listener = 0;
    Retry retry = patientRetry(); // until the watch is set
    bool looksOnce = false;       // a known mistake
    bool looked = false;

    State(Wire w, std::string n)
        : wire(std::move(w))
        , node(std::move(n))
    {}
    void lookAfter(Duration pause);
    void look();
    void take(const Answer<zk::Data>& answer);
    void tellGone(EventIndex event);
};

void HoldWatch::State::tellGone(EventIndex event)
{
    if (std::exchange(ended, true))
        return;
    const auto self = shared_from_this(); // `gone` may end the watch
    gone(event);
}

void HoldWatch::State::lookAfter(Duration pause)
{
    if (timer != 0)
        return;
    timer = wire.session().scheduler().after(pause, [weak = weak_from_this()] {
        if (const auto self = weak.lock()) {
            self->timer = 0;
            self->look();
        }
    });
}

// Without a connection it looks when there is one again.
void HoldWatch::State::look()
{
    if (ended || looking || timer != 0 || (looksOnce && std::exchange(looked, true)) ||
        wire.session().phase() != zk::SessionPhase::connected)
        return;
    looking = true;
    watch = wire.watch(
        node,
        [weak = weak_from_this()](zk::WatchKind kind, EventIndex event) {
            const auto self = weak.lock();
            if (!self || self->ended)
                return;
            self->looking = false;
            if (kind == zk::WatchKind::deleted)
                self->tellGone(event);
            else
                self->look();
        },
        [weak = weak_from_this()](const Answer<zk::Data>& answer) {
            const auto self = weak.lock();
            if (self && !self->ended)
                self->take(answer);
        },
        EventIndex::none());
}

// Only ok and noNode are answers. After any other no watch is set: the reply was lost, maybe together with a
// connection that is back already, or the server refused.
void HoldWatch::State::take(const Answer<zk::Data>& answer)
{
    const zk::Code code = answer.value.code;
    if (code == zk::Code::noNode) {
        tellGone(answer.event);
        return;
    }
    looking = code == zk::Code::ok;
    if (!looking) {
        lookAfter(*retry.next());
        return;
    }
    retry = patientRetry();
    if (answer.value.bytes == kRevokeMessage && revoked)
        std::exchange(revoked, nullptr)();
}

HoldWatch::HoldWatch(Wire wire, std::string node, Duration after, std::function<void(EventIndex)> gone,
                     std::function<void()> revoked, Flaws flaws)
    : m_state(std::make_shared<State>(std::move(wire), std::move(node)))
{
    m_state->gone = std::move(gone);
    m_state->revoked = std::move(revoked);
    m_state->looksOnce = flaws.unwatchedHold;
    if (after <= Duration{})
        m_state->look();
    else
        m_state->lookAfter(after);
    zk::Session& session = m_state->wire.session();
    m_state->listener = session.listen([weak = std::weak_ptr(m_state)](zk::SessionPhase phase) {
        const auto state = weak.lock();
        if (state && phase == zk::SessionPhase::connected)
            state->look();
    });
}

HoldWatch::~HoldWatch()
{
    m_state->ended = true;
    m_state->watch.reset();
    m_state->wire.session().scheduler().cancel(m_state->timer);
    m_state->wire.session().unlisten(m_state->listener);
}

} // namespace lockscope::lock
