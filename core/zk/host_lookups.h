// Looks host names up without blocking the thread that asks: the system's resolver cannot be interrupted and
// may take minutes. As Background in everything else.
#pragma once

#include "core/zk/background.h"
#include "core/zk/hosts.h"

#include <string>

namespace lockscope::zk {

class HostLookups
{
public:
    using Done = UniqueFunction<void(Result<ResolvedHosts>)>;

    explicit HostLookups(boost::asio::io_context& io) // must outlive this object
        : m_background(io)
    {}
    // `hosts`: without a chroot. Errors: those of resolveEveryHost; limitExceeded when there is no thread.
    void start(std::string hosts, Done done);

private:
    Background m_background;
};

} // namespace lockscope::zk
