// The script of a run that several workers carry out, shared through nodes on the ensemble (scenario/share.h)
// with a session of its own. A line is due once for all of them: the worker that sees its trigger says so,
// the coordinator (core/workers) makes it due, and every worker learns of it, some requests later. I/O
// thread.
#pragma once

#include "core/sim/scenario/share.h"
#include "core/zk/hub.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockscope::sim {

class SharedScript : public std::enable_shared_from_this<SharedScript>
{
public:
    // `due` is called once for each line. The hub must outlive it.
    SharedScript(zk::Hub& hub, std::string hosts, Share share, std::function<void(std::size_t line)> due);
    void start();
    void stop(); // closes the session; nothing is called any more

    void fired(std::size_t line);            // its trigger was seen here
    bool hasUnanswered() const;              // some of these are not due yet
    void count(std::uint32_t acquired);      // by the clients of this worker, so far
    void standStill(const std::string& who); // the data of kStillNode
    // Calls `taken` with whether no other worker has taken the line.
    void take(std::size_t line, std::function<void(bool ours)> taken);

private:
    auto whileAlive(void (SharedScript::*what)())
    {
        return [weak = weak_from_this(), what](const auto&...) {
            if (const auto self = weak.lock(); self && self->m_session)
                ((*self).*what)();
        };
    }
    std::string nodeOf(std::string_view kind, std::size_t number) const;
    void connect();
    void look();
    void onNames(const std::vector<std::string>& names);
    void sayFired(std::size_t line);
    // What a node of this worker says: written when it has changed.
    struct Said
    {
        std::optional<std::string> written = std::string(); // the text that was sent; none: not known
        bool isUnderWay = false, isThere = false;
    };
    void say(Said SharedScript::*which, std::string_view kind, const std::string& text);

    zk::Hub& m_hub;
    const std::string m_hosts;
    const Share m_share;
    std::function<void(std::size_t)> m_onDue;
    std::shared_ptr<zk::HubSession> m_session; // null before the start and after the end
    zk::WatchPtr m_watch;
    std::set<std::size_t> m_fired, m_due;
    bool m_missesDue; // what is due already was before this worker took part
    Said m_count, m_still;
};

} // namespace lockscope::sim
