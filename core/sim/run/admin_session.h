// Somebody else on the same ZooKeeper, who deletes or writes what is not his: a session of its own. I/O
// thread.
#pragma once

#include "core/zk/hub.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::sim {

class AdminSession
{
public:
    AdminSession(zk::Hub& hub, const std::string& hosts);
    ~AdminSession(); // closes its session; what is under way is not answered

    // `done` is called when the server has answered, or the session was lost before.
    void remove(std::string path, std::function<void(zk::Code)> done);
    void write(std::string path, std::string data, std::function<void(zk::Code)> done);

private:
    struct State;
    std::shared_ptr<State> m_state;
};

} // namespace lockscope::sim
