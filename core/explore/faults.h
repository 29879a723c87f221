// The faults of a schedule: which can happen now, and doing one of them. A schedule has a few; then it is
// calm, so that every client must make progress. One thread.
#pragma once

#include "core/explore/chooser.h"
#include "core/explore/client.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::explore {

class Faults
{
public:
    using Clients = std::vector<std::unique_ptr<Client>>;
    Faults(Context context, Chooser& chooser, const Clients& clients, std::string lockPath);

    bool left() const { return m_left > 0; }
    std::size_t done() const { return m_done; }
    void inject(); // one of those that are possible, if any is

private:
    enum class Kind { cut, kill, pause, remove, write, reap, refuse, loseReplies };
    void cut(Client& client);
    void refuse(Client& client, std::optional<OpCode> kind);
    void loseReplies();
    void pause(Client& client);
    void touchNode(bool remove);
    void writeLog(const std::string& what);

    Context m_context;
    Chooser& m_chooser;
    const Clients& m_clients;
    std::string m_lockPath;
    zk::memory::VirtualScheduler m_time;    // of what ends by itself
    std::array<std::uint32_t, 8> m_weights; // of the kinds, in their order
    std::size_t m_left = 0;
    std::size_t m_done = 0;
};

} // namespace lockscope::explore
