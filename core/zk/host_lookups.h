// Looks host names up without blocking the thread that asks: each lookup has a thread of its own, because
// the system's resolver cannot be interrupted and may take minutes. I/O thread. After the end of this object
// nothing is called; a function that is still waiting is then destroyed on the thread of its lookup, so it
// should own nothing that has to be destroyed elsewhere.
#pragma once

#include "core/base/unique_function.h"
#include "core/zk/hosts.h"

#include <boost/asio/io_context.hpp>

#include <memory>
#include <string>

namespace lockscope::zk {

class HostLookups
{
public:
    using Done = UniqueFunction<void(Result<ResolvedHosts>)>;

    explicit HostLookups(boost::asio::io_context& io); // must outlive this object
    ~HostLookups();
    HostLookups(const HostLookups&) = delete;
    HostLookups& operator=(const HostLookups&) = delete;

    // `hosts`: without a chroot. Errors: those of resolveEveryHost; limitExceeded when there is no thread.
    void start(std::string hosts, Done done);

private:
    struct Gate;
    static void deliver(Gate& gate, Result<ResolvedHosts> found, Done done);
    std::shared_ptr<Gate> m_gate;
};

} // namespace lockscope::zk
