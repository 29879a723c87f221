// Closes C handles on a separate thread, because zookeeper_close waits for the server (up to 4.5 s without an
// answer). The caller must not use a submitted handle any more. Public functions: I/O thread.
#pragma once

#include "core/base/time.h"
#include "core/base/unique_function.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace lockscope::zk::c_client {

class HandleCloser
{
public:
    HandleCloser();
    ~HandleCloser(); // finishes queued jobs

    // Runs `job` on the closing thread, in order. With skipWaiting it must not wait for the server.
    void submit(UniqueFunction<void(bool skipWaiting)> job);
    // After `limit` from now, jobs do not wait for the server any more.
    void skipWaitingAfter(Duration limit);

private:
    void run();
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<UniqueFunction<void(bool)>> m_jobs;
    MonotonicTime m_deadline = MonotonicTime::max();
    bool m_end = false;
    std::thread m_thread; // last, because it uses the other members
};

} // namespace lockscope::zk::c_client
