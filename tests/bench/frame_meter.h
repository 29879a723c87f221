#pragma once

#include "tests/bench/event_costs.h"
#include "ui/models/run/run_model.h"

#include <chrono>
#include <utility>
#include <vector>

namespace lockscope::ui {

// The work of frames: what one tick of the run leads to, until the next one. Cut by the clock instead, the
// picture of one frame at times counts with the next.
class FrameMeter
{
public:
    FrameMeter(RunModel& run, EventCosts* costs)
        : m_costs(costs)
    {
        if (costs)
            costs->start();
        m_tick = QObject::connect(&run, &RunModel::timelineGrew, [this] {
            m_ticked = true;
            if (m_costs)
                m_costs->nextFrame();
        });
    }
    ~FrameMeter() { QObject::disconnect(m_tick); }
    FrameMeter(const FrameMeter&) = delete;
    FrameMeter& operator=(const FrameMeter&) = delete;

    void processEvents()
    {
        const auto wallBefore = std::chrono::steady_clock::now();
        const Duration before = threadCpuTime();
        QCoreApplication::processEvents();
        const Duration spent = threadCpuTime() - before;
        const Duration waited = std::chrono::steady_clock::now() - wallBefore;
        if (std::exchange(m_ticked, false)) {
            m_frames.push_back(std::exchange(m_frame, Duration::zero()));
            m_wall.push_back(std::exchange(m_frameWall, Duration::zero()));
        }
        m_frame += spent;
        m_frameWall += waited;
        m_sixtieth += spent;
    }
    void endSixtieth() { m_sixtieths.push_back(std::exchange(m_sixtieth, Duration::zero())); }

    const std::vector<Duration>& frames() const { return m_frames; }
    const std::vector<Duration>& wall() const { return m_wall; }
    const std::vector<Duration>& sixtieths() const { return m_sixtieths; }

private:
    EventCosts* const m_costs;
    QMetaObject::Connection m_tick;
    bool m_ticked = false;
    Duration m_frame{}, m_frameWall{}, m_sixtieth{};
    std::vector<Duration> m_frames, m_wall, m_sixtieths;
};

} // namespace lockscope::ui
