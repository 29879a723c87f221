#include "core/sim/run_control.h"

#include <algorithm>
#include <utility>

namespace lockscope::sim {

void RunControl::setPaused(bool paused)
{
    m_paused = paused;
    for (ClientGate* gate : m_gates)
        gate->reconsider();
}

void RunControl::setPace(Duration pace) { m_pace = pace; }

ClientGate::ClientGate(RunControl& control) : m_control(control) { control.m_gates.push_back(this); }

ClientGate::~ClientGate() { std::erase(m_control.m_gates, this); }

bool ClientGate::open() const { return m_released || (!stopped() && m_control.pace() == Duration{}); }

// First the pace, then the pause: a step that is due during a pause goes on as soon as the pause is over.
void ClientGate::whenOpen(lock::Step, UniqueFunction<void()> pass)
{
    m_waiting.push_back(std::move(pass));
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
}

void ClientGate::reconsider() { letPass(); }

void ClientGate::letPass()
{
    for (; !stopped() && m_due > 0 && !m_waiting.empty(); --m_due) {
        m_control.m_scheduler.post(std::move(m_waiting.front()));
        m_waiting.pop_front();
    }
}

} // namespace lockscope::sim
