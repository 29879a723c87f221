#include "core/sim/run/run_control.h"

#include "core/sim/scenario/scenario_text.h"

#include <algorithm>
#include <utility>

namespace lockscope::sim {

namespace {

// After these steps the client waits for time or for other clients, so the next step need not await an
// effect.
bool leavesClientIdle(GateStep step)
{
    return step == GateStep::sleep || step == GateStep::acquired || step == GateStep::reenter ||
           step == GateStep::release || step == GateStep::gone;
}

} // namespace

// ---- the run ----

void RunControl::setPaused(bool paused)
{
    m_paused = paused;
    for (ClientGate* gate : m_gates)
        gate->passSteps();
}

void RunControl::setPace(Duration pace) { m_pace = pace; }

void RunControl::setHolding(bool holding)
{
    m_holding = holding;
    if (!holding)
        m_orderedSteps.clear();
    for (ClientGate* gate : m_gates)
        gate->passSteps();
}

void RunControl::follow(std::vector<TakenStep> order)
{
    m_orderedSteps.assign(std::make_move_iterator(order.begin()), std::make_move_iterator(order.end()));
    takeNextSteps();
}

ClientId RunControl::nextInTurn() const
{
    ClientId next = ClientId::none();
    std::ptrdiff_t longest = -1;
    for (const ClientGate* gate : m_gates) {
        if (!gate->m_pendingStep)
            continue;
        const auto last = std::find(m_recentlyStepped.begin(), m_recentlyStepped.end(), gate->m_client);
        const std::ptrdiff_t ago =
            m_recentlyStepped.end() - last; // 0 if it was never stepped: then it ranks first
        const std::ptrdiff_t rank = last == m_recentlyStepped.end() ? PTRDIFF_MAX : ago;
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
    takeNextSteps();
}

void RunControl::onSettled(ClientGate& gate)
{
    if (m_unsettled != &gate)
        return;
    m_unsettled = nullptr;
    takeNextSteps();
}

void RunControl::requestStep(ClientGate& gate)
{
    m_requested.push_back(&gate);
    takeNextSteps();
}

void RunControl::takeNextSteps()
{
    while (!m_unsettled && (!m_requested.empty() || enqueueNextInTurn())) {
        ClientGate& gate = *m_requested.front();
        m_requested.pop_front();
        if (!gate.m_pendingStep)
            continue;
        std::erase(m_recentlyStepped, gate.m_client);
        m_recentlyStepped.push_back(gate.m_client);
        m_unsettled = leavesClientIdle(*gate.m_pendingStep) ? nullptr : &gate;
        gate.takeStep();
    }
    if (!m_unsettled && (m_created || !m_orderedSteps.empty()))
        takeOrderedStep();
}

bool RunControl::enqueueNextInTurn()
{
    if (!m_automaticSteps || !m_holding || !m_orderedSteps.empty())
        return false;
    const ClientId next = nextInTurn();
    const auto gate = std::find_if(m_gates.begin(), m_gates.end(), [&](const ClientGate* one) {
        return one->m_pendingStep && one->m_client == next;
    });
    if (gate == m_gates.end())
        return false;
    m_requested.push_back(*gate);
    return true;
}

void RunControl::takeOrderedStep()
{
    if (ClientGate* gate = std::exchange(m_created, nullptr); gate && mustRepeatCreate(*gate)) {
        m_created = gate;
        return requestStep(*gate);
    }
    while (!m_orderedSteps.empty()) {
        const auto gate = std::find_if(m_gates.begin(), m_gates.end(), [this](const ClientGate* one) {
            return one->m_name == m_orderedSteps.front().client;
        });
        if (gate == m_gates.end() || !(*gate)->m_pendingStep)
            return; // the client has not reached its step yet
        // In the recorded run the create was sent twice, because the path was missing.
        if (m_orderedSteps.front().step != GateStep::create || *(*gate)->m_pendingStep != GateStep::created)
            return takeOrderedStep(**gate);
        m_orderedSteps.pop_front();
    }
    onOrderTaken();
}

// `gate` waits before a step, and the next ordered step is its client's.
void RunControl::takeOrderedStep(ClientGate& gate)
{
    const TakenStep next = m_orderedSteps.front();
    const GateStep stands = *gate.m_pendingStep;
    if (stands != next.step) {
        m_orderedSteps.clear();
        m_holding = true; // the person decides how to continue
        m_recorder.record(
            gate.m_client, LockId::none(),
            trace::Notice{trace::Severity::warning,
                          message("The order of steps says \"%1\", but %2 stands before %3. All clients are "
                                  "held from here on.",
                                  next.client + " " + std::string(stepName(next.step)), next.client,
                                  stepName(stands))});
        return;
    }
    m_orderedSteps.pop_front();
    onOrderTaken();
    m_created = next.step == GateStep::create ? &gate : nullptr;
    requestStep(gate);
}

// True when the create found no path and the order does not have it again: in the recorded run the path
// existed.
bool RunControl::mustRepeatCreate(const ClientGate& gate) const
{
    const auto next = std::find_if(m_orderedSteps.begin(), m_orderedSteps.end(),
                                   [&](const TakenStep& step) { return step.client == gate.m_name; });
    return gate.m_pendingStep == GateStep::create &&
           (next == m_orderedSteps.end() || next->step != GateStep::create);
}

// Releases the clients when no ordered step is left.
void RunControl::onOrderTaken()
{
    if (!m_orderedSteps.empty() || m_holding)
        return;
    for (ClientGate* one : m_gates)
        m_scheduler.post([alive = std::weak_ptr<int>(one->m_alive), one] {
            if (!alive.expired())
                one->passSteps();
        });
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
    std::erase(m_control.m_requested, this);
    if (m_control.m_created == this)
        m_control.m_created = nullptr;
    settle();
}

bool ClientGate::heldBefore(GateStep step) const
{
    return !m_released && (m_holding || m_control.isHoldingAll() || m_breakpoints.contains(step));
}

bool ClientGate::holdsUntilStep() const
{
    if (m_released || !(m_holding || m_control.isHoldingAll()))
        return false;
    const auto next = std::find_if(m_control.m_orderedSteps.begin(), m_control.m_orderedSteps.end(),
                                   [this](const TakenStep& step) { return step.client == m_name; });
    return next == m_control.m_orderedSteps.end() || next->step == GateStep::release;
}

bool ClientGate::open() const
{
    const bool free = !m_holding && !m_control.isHoldingAll() && m_breakpoints.empty();
    return m_released || (free && !stopped() && m_control.pace() == Duration{});
}

// The pace comes before the pause: a step that becomes due during a pause passes as soon as the pause ends.
void ClientGate::whenOpen(GateStep step, UniqueFunction<void()> pass)
{
    m_waiting.push_back({step, std::move(pass)});
    const Duration delay = m_released || m_control.isReplaying() ? Duration{} : m_control.pace();
    m_control.m_scheduler.after(delay, [this, alive = std::weak_ptr<int>(m_alive)] {
        if (alive.expired())
            return;
        ++m_due;
        passSteps();
    });
}

void ClientGate::setFrozen(bool frozen)
{
    m_frozen = frozen;
    passSteps();
}

void ClientGate::release()
{
    m_released = true;
    m_due = m_waiting.size();
    passSteps();
    settle();
}

void ClientGate::hold(std::optional<GateStep> before)
{
    if (before)
        m_breakpoints.insert(*before);
    else
        m_holding = true;
}

void ClientGate::resumeSteps()
{
    m_holding = false;
    m_breakpoints.clear();
    passSteps();
}

void ClientGate::resumeSteps(GateStep before)
{
    m_breakpoints.erase(before);
    passSteps();
}

void ClientGate::step()
{
    if (m_pendingStep)
        m_control.requestStep(*this);
}

void ClientGate::settle() { m_control.onSettled(*this); }

void ClientGate::takeStep()
{
    const GateStep step = *std::exchange(m_pendingStep, std::nullopt);
    m_control.m_recorder.record(m_client, LockId::none(), trace::StepTaken{step});
    if (m_waiting.empty() || m_due == 0)
        return;
    m_control.m_scheduler.post(std::move(m_waiting.front().pass));
    m_waiting.pop_front();
    --m_due;
    passSteps();
}

void ClientGate::passSteps()
{
    while (!stopped() && m_due > 0 && !m_waiting.empty()) {
        const GateStep step = m_waiting.front().step;
        if (heldBefore(step)) {
            if (m_pendingStep)
                return;
            m_pendingStep = step;
            m_control.m_recorder.record(m_client, LockId::none(), trace::StepHeld{step});
            m_control.stands(*this);
            return;
        }
        if (m_pendingStep) { // released: record StepTaken, so that it is not shown as held
            takeStep();
            continue;
        }
        m_control.m_scheduler.post(std::move(m_waiting.front().pass));
        m_waiting.pop_front();
        --m_due;
    }
}

} // namespace lockscope::sim
