#include "core/sim/run_control.h"

#include "core/sim/scenario_words.h"

#include <algorithm>
#include <utility>

namespace lockscope::sim {

namespace {

trace::GateStep toTrace(lock::Step step)
{
    static_assert(static_cast<int>(lock::Step::gone) == static_cast<int>(trace::GateStep::gone));
    return static_cast<trace::GateStep>(step);
}

// What follows comes by itself only when time passes or somebody else does something: nothing to wait for.
bool endsInRest(trace::GateStep step)
{
    using Step = trace::GateStep;
    return step == Step::sleep || step == Step::acquired || step == Step::reenter || step == Step::gone;
}

} // namespace

// ---- the run ----

void RunControl::setPaused(bool paused)
{
    m_paused = paused;
    for (ClientGate* gate : m_gates)
        gate->reconsider();
}

void RunControl::setPace(Duration pace) { m_pace = pace; }

void RunControl::setHolding(bool holding)
{
    m_holding = holding;
    if (!holding)
        m_order.clear();
    for (ClientGate* gate : m_gates)
        gate->reconsider();
}

void RunControl::follow(std::vector<TakenStep> order)
{
    m_order.assign(std::make_move_iterator(order.begin()), std::make_move_iterator(order.end()));
    goOn();
}

ClientId RunControl::nextInTurn() const
{
    ClientId next = ClientId::none();
    std::ptrdiff_t longest = -1;
    for (const ClientGate* gate : m_gates) {
        if (!gate->m_stands)
            continue;
        const auto last = std::find(m_stepped.begin(), m_stepped.end(), gate->m_client);
        const std::ptrdiff_t ago = m_stepped.end() - last; // never: 0, so that it comes first
        const std::ptrdiff_t rank = last == m_stepped.end() ? PTRDIFF_MAX : ago;
        if (rank > longest) {
            longest = rank;
            next = gate->m_client;
        }
    }
    return next;
}

void RunControl::stands(ClientGate& gate)
{
    if (m_unsettled == &gate)
        m_unsettled = nullptr;
    goOn();
}

void RunControl::settled(ClientGate& gate)
{
    if (m_unsettled != &gate)
        return;
    m_unsettled = nullptr;
    goOn();
}

void RunControl::take(ClientGate& gate)
{
    m_asked.push_back(&gate);
    goOn();
}

void RunControl::goOn()
{
    while (!m_unsettled && !m_asked.empty()) {
        ClientGate& gate = *m_asked.front();
        m_asked.pop_front();
        if (!gate.m_stands)
            continue;
        std::erase(m_stepped, gate.m_client);
        m_stepped.push_back(gate.m_client);
        m_unsettled = endsInRest(*gate.m_stands) ? nullptr : &gate;
        gate.takeStep();
    }
    if (!m_unsettled && !m_order.empty())
        followOrder();
}

void RunControl::followOrder()
{
    const TakenStep next = m_order.front();
    const auto gate = std::find_if(m_gates.begin(), m_gates.end(),
                                   [&](const ClientGate* one) { return one->m_name == next.client; });
    if (gate == m_gates.end() || !(*gate)->m_stands)
        return; // it will come
    const trace::GateStep stands = *(*gate)->m_stands;
    if (stands != next.step) {
        m_order.clear();
        m_holding = true; // nobody runs off: the person decides
        m_recorder.record((*gate)->m_client, LockId::none(),
                          trace::Notice{trace::Severity::warning,
                                        "The order of steps says \"" + next.client + " " +
                                            std::string(stepName(next.step)) + "\", but " + next.client +
                                            " stands before " + std::string(stepName(stands)) +
                                            ". Everybody is held from here on."});
        return;
    }
    m_order.pop_front();
    ClientGate* taken = *gate;
    if (m_order.empty() && !m_holding)
        for (ClientGate* one : m_gates)
            m_scheduler.post([alive = std::weak_ptr<int>(one->m_alive), one] {
                if (!alive.expired())
                    one->reconsider();
            });
    take(*taken);
}

// ---- a client ----

ClientGate::ClientGate(RunControl& control, ClientId client, std::string name)
    : m_control(control)
    , m_client(client)
    , m_name(std::move(name))
{
    control.m_gates.push_back(this);
}

ClientGate::~ClientGate()
{
    std::erase(m_control.m_gates, this);
    std::erase(m_control.m_asked, this);
    settle();
}

bool ClientGate::heldBefore(trace::GateStep step) const
{
    return !m_released && (m_holding || m_control.holdsAll() || m_breakpoints.contains(step));
}

bool ClientGate::open() const
{
    const bool free = !m_holding && !m_control.holdsAll() && m_breakpoints.empty();
    return m_released || (free && !stopped() && m_control.pace() == Duration{});
}

// First the pace, then the pause: a step that is due during a pause goes on as soon as the pause is over.
void ClientGate::whenOpen(lock::Step step, UniqueFunction<void()> pass)
{
    m_waiting.push_back({toTrace(step), std::move(pass)});
    const Duration delay = m_released ? Duration{} : m_control.pace();
    m_control.m_scheduler.after(delay, [this, alive = std::weak_ptr<int>(m_alive)] {
        if (alive.expired())
            return;
        ++m_due;
        letPass();
    });
}

void ClientGate::setFrozen(bool frozen)
{
    m_frozen = frozen;
    letPass();
}

void ClientGate::release()
{
    m_released = true;
    m_due = m_waiting.size();
    letPass();
    settle();
}

void ClientGate::reconsider() { letPass(); }

void ClientGate::hold(std::optional<trace::GateStep> before)
{
    if (before)
        m_breakpoints.insert(*before);
    else
        m_holding = true;
}

void ClientGate::letGo()
{
    m_holding = false;
    m_breakpoints.clear();
    letPass();
}

void ClientGate::letGo(trace::GateStep before)
{
    m_breakpoints.erase(before);
    letPass();
}

bool ClientGate::step()
{
    if (!m_stands)
        return false;
    m_control.take(*this);
    return true;
}

void ClientGate::settle() { m_control.settled(*this); }

void ClientGate::takeStep()
{
    const trace::GateStep step = *std::exchange(m_stands, std::nullopt);
    m_control.m_recorder.record(m_client, LockId::none(), trace::StepTaken{step});
    if (m_waiting.empty() || m_due == 0)
        return;
    m_control.m_scheduler.post(std::move(m_waiting.front().pass));
    m_waiting.pop_front();
    --m_due;
    letPass();
}

void ClientGate::letPass()
{
    while (!stopped() && m_due > 0 && !m_waiting.empty()) {
        const trace::GateStep step = m_waiting.front().step;
        if (heldBefore(step)) {
            if (m_stands)
                return;
            m_stands = step;
            m_control.m_recorder.record(m_client, LockId::none(), trace::StepHeld{step});
            m_control.stands(*this);
            return;
        }
        if (m_stands) { // let go: told, so that nobody sees it standing there
            takeStep();
            continue;
        }
        m_control.m_scheduler.post(std::move(m_waiting.front().pass));
        m_waiting.pop_front();
        --m_due;
    }
}

} // namespace lockscope::sim
