#include "core/lock/hold_watch.h"

namespace lockscope::lock {

struct HoldWatch::State : std::enable_shared_from_this<State>
{
    Wire wire;
    std::string node;
    std::function<void(EventIndex)> gone;
    std::function<void()> revoked;
    zk::WatchPtr watch;
    bool looking = false; // the watch is set, or on its way
    bool ended = false;   // nothing more to tell
    zk::Scheduler::TimerId timer = 0;
    zk::Session::ListenerId listener = 0;

    State(Wire w, std::string n)
        : wire(std::move(w))
        , node(std::move(n))
    {}
    void look();
    void tellGone(EventIndex event);
};

void HoldWatch::State::tellGone(EventIndex event)
{
    if (std::exchange(ended, true))
        return;
    const auto self = shared_from_this(); // `gone` may end the watch
    gone(event);
}

void HoldWatch::State::look()
{
    if (ended || looking || wire.session().phase() != zk::SessionPhase::connected)
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
            if (!self || self->ended)
                return;
            self->looking = answer.value.code == zk::Code::ok; // else: again when the session is connected
            if (answer.value.code == zk::Code::noNode)
                self->tellGone(answer.event);
            else if (answer.value.code == zk::Code::ok && answer.value.bytes == kRevokeMessage &&
                     self->revoked)
                std::exchange(self->revoked, nullptr)();
        },
        EventIndex::none());
}

HoldWatch::HoldWatch(Wire wire, std::string node, Duration after, std::function<void(EventIndex)> gone,
                     std::function<void()> revoked)
    : m_state(std::make_shared<State>(std::move(wire), std::move(node)))
{
    m_state->gone = std::move(gone);
    m_state->revoked = std::move(revoked);
    const auto look = [weak = std::weak_ptr(m_state)] {
        if (const auto state = weak.lock())
            state->look();
    };
    zk::Session& session = m_state->wire.session();
    if (after <= Duration{}) {
        m_state->look();
    } else {
        m_state->timer = session.scheduler().after(after, look);
    }
    m_state->listener = session.listen([weak = std::weak_ptr(m_state)](zk::SessionPhase phase) {
        const auto state = weak.lock();
        if (state && phase == zk::SessionPhase::connected && state->timer == 0)
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
