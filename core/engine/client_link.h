// A client's link with its faults: actions become the rules of a relay. I/O thread.
#pragma once

#include "core/server/relay/link.h"
#include "core/sim/run/link_control.h"

namespace lockscope::engine {

class ClientLink final : public sim::LinkControl
{
public:
    // `servers`: "127.0.0.1:2181,...". Errors as server::Link::open().
    static Result<std::unique_ptr<sim::LinkControl>> open(boost::asio::io_context& io,
                                                          const std::string& servers, std::uint64_t seed);
    explicit ClientLink(std::unique_ptr<server::Link> link)
        : m_link(std::move(link))
    {}

    std::string hosts() const override { return m_link->hosts(); }
    Result<void> apply(const sim::Action& action) override;
    trace::LinkState state() const override;
    void onReplyLost(std::function<void()> callback) override { m_replyLost = std::move(callback); }

private:
    std::unique_ptr<server::Link> m_link;
    std::function<void()> m_replyLost;
    bool m_halfOpen = false;
};

} // namespace lockscope::engine
