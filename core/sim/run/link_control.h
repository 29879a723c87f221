// One process's way to the server, as far as a run may spoil it; made by the engine. I/O thread.
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
    virtual std::string hosts() const = 0; // what a session connects to instead of the server
    // A deed that concerns links, healLink among them. What was spoilt before stays so.
    virtual Result<void> apply(const Action& action) = 0;
    // What is wrong with it now.
    virtual trace::LinkState state() const = 0;
    // Called when the reply that was to be lost was lost.
    virtual void onReplyLost(std::function<void()> callback) = 0;
};

// Null with an error when no link is to be had.
using LinkFactory = std::function<Result<std::unique_ptr<LinkControl>>(std::uint64_t seed)>;

} // namespace lockscope::sim
