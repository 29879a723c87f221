// A session that deletes and writes nodes of others, as an administrator would. Connects when it is first
// used. I/O thread.
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
    ~AdminSession(); // closes the session; pending calls are not answered

    // `done` is called with the server's answer, or when the session is lost before it.
    void remove(std::string path, std::function<void(zk::Code)> done);
    void write(std::string path, std::string data, std::function<void(zk::Code)> done);

private:
    struct State;
    std::shared_ptr<State> m_state;
};

} // namespace lockscope::sim
