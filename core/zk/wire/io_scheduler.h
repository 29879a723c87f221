// A zk::Scheduler on an io_context, for sessions without the C client. Runs on the thread that runs the
// context, which must outlive it; exceptions of posted functions and timers propagate out of io.run().
#pragma once

#include "core/zk/scheduler.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <map>
#include <memory>

namespace lockscope::zk::wire {

class IoScheduler final : public Scheduler
{
public:
    explicit IoScheduler(boost::asio::io_context& io)
        : m_io(io)
    {}
    ~IoScheduler() override;
    IoScheduler(const IoScheduler&) = delete;
    IoScheduler& operator=(const IoScheduler&) = delete;

    boost::asio::io_context& io() { return m_io; }
    void cancelAll() { m_timers.clear(); }
    MonotonicTime now() const override;
    void post(UniqueFunction<void()> ready) override;
    TimerId after(Duration delay, UniqueFunction<void()> due) override;
    void cancel(TimerId timer) override { m_timers.erase(timer); }
    boost::asio::any_io_executor executor() override { return m_io.get_executor(); }
    Sleepers& sleepers() override { return m_sleepers; }

private:
    struct Timer
    {
        boost::asio::steady_timer timer;
        UniqueFunction<void()> due;
    };

    boost::asio::io_context& m_io;
    std::map<TimerId, Timer> m_timers;
    TimerId m_lastTimer = 0;
    Sleepers m_sleepers;
    std::shared_ptr<const int> m_alive = std::make_shared<const int>(0); // expires with this object
};

} // namespace lockscope::zk::wire
