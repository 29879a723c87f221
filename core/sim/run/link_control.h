// The faults of one process's connection to the servers. Implemented by the engine. I/O thread.
#pragma once

#include "core/base/error.h"
#include "core/sim/script/script.h"
#include "core/trace/event.h"

#include <functional>
#include <memory>
#include <string>

namespace lockscope::sim {

class LinkControl
{
public:
    virtual ~LinkControl() = default;
    virtual std::string hosts() const = 0; // sessions connect to these instead of the servers
    // An action on links (concernsLinks()). Faults add up until healLink.
    virtual Result<void> apply(const Action& action) = 0;
    // The faults in force.
    virtual trace::LinkState state() const = 0;
    // Called when a loseReply action has dropped a reply.
    virtual void onReplyLost(std::function<void()> callback) = 0;
};

// Errors as server::Link::open().
using LinkFactory = std::function<Result<std::unique_ptr<LinkControl>>(std::uint64_t seed)>;

} // namespace lockscope::sim
