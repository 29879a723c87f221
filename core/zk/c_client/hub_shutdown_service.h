// A service of the io_context that shuts down the context's hubs before the context ends, so that hub and
// io_context may be destroyed in either order.
#pragma once

#include <boost/asio/io_context.hpp>

#include <memory>
#include <vector>

namespace lockscope::zk::c_client {

class HubImpl;

class HubShutdownService final : public boost::asio::execution_context::service
{
public:
    using key_type = HubShutdownService;
    static inline boost::asio::execution_context::id id;

    explicit HubShutdownService(boost::asio::execution_context& io)
        : service(io)
    {}
    static void join(boost::asio::io_context& io, const std::shared_ptr<HubImpl>& hub);

private:
    void shutdown() override;
    std::vector<std::weak_ptr<HubImpl>> m_hubs;
};

} // namespace lockscope::zk::c_client
