// Reads the server's own view of the lock's queue with a session of its own, so that beliefs can be compared
// with it: after every change of the children, but never more often than the size of the queue allows. I/O
// thread.
#pragma once

#include "core/base/error.h"
#include "core/lock/naming.h"
#include "core/trace/recorder.h"
#include "core/zk/hub.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace lockscope::sim {

class Observer : public std::enable_shared_from_this<Observer>
{
public:
    enum class Foreign { warned, expected }; // what is made of nodes that are not ours
    Observer(zk::Hub& hub, trace::Recorder& recorder, std::string hosts, std::string path, LockId lock,
             Foreign foreign);
    // Called when it may not read the list, with what is missing. It goes on looking now and then.
    void onRefused(std::function<void(const Error&)> callback) { m_refused = std::move(callback); }
    void start();
    void stop();
    // While nobody else asks the server anything there is no reason to wait between looks: what the last
    // requests did is known at once, and nothing follows late.
    void hurry(bool on);
    // One more look when there is contact, then `done`.
    void lastLook(UniqueFunction<void()> done);
    zk::SessionPhase phase() const;

private:
    void connect();
    void lookSoon();
    void look();
    void beRefused();
    void onList(zk::Code code, std::vector<std::string> names);
    void report(const std::vector<std::string>& names);
    void identify(const std::string& name);

    zk::Hub& m_hub;
    trace::Recorder& m_recorder;
    std::string m_hosts;
    std::string m_path;
    LockId m_lock;
    Foreign m_foreign;
    std::shared_ptr<zk::HubSession> m_session;
    zk::WatchPtr m_watch;
    std::set<std::string> m_seen;
    std::set<std::string> m_told; // foreign nodes that were reported to the person
    MonotonicTime m_lastLook{};
    bool m_looking = false; // or about to
    bool m_asked = false;   // the list is on its way
    bool m_hurried = false;
    std::uint64_t m_turn = 0; // of the look that is waited for
    bool m_lookAgain = false;
    bool m_stopped = false;
    UniqueFunction<void()> m_lastLookDone;
    std::function<void(const Error&)> m_refused = [](const Error&) {};
};

} // namespace lockscope::sim
