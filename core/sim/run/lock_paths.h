// The paths of a run's locks, made before its clients start, so that the first client finds what all others
// find. I/O thread.
#pragma once

#include "core/zk/hub.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::sim {

class LockPaths
{
public:
    LockPaths(zk::Hub& hub, std::string hosts, std::vector<std::string> paths);
    ~LockPaths(); // stops
    LockPaths(const LockPaths&) = delete;
    LockPaths& operator=(const LockPaths&) = delete;

    // Creates the missing paths as containers, in a session of its own, and then calls `done`; also after an
    // error, which every client meets and reports itself. Not after stop().
    void make(std::function<void()> done);
    void stop();

private:
    struct State;
    std::shared_ptr<State> m_state;
};

} // namespace lockscope::sim
