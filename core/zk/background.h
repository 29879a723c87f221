// Calls functions that may block for long, such as those of a name service, without blocking the thread that
// asks: each call has a thread of its own, because it cannot be interrupted. I/O thread. After the end of
// this object nothing is delivered; what a call then still has is destroyed on its thread, so it should own
// nothing that has to be destroyed elsewhere.
#pragma once

#include "core/base/error.h"
#include "core/base/unique_function.h"

#include <boost/asio/io_context.hpp>

#include <memory>

namespace lockscope::zk {

class Background
{
public:
    using Delivery = UniqueFunction<void()>;

    explicit Background(boost::asio::io_context& io); // must outlive this object
    ~Background();
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    // What `call` returns is called on the I/O thread. Error: limitExceeded when there is no thread.
    Result<void> start(UniqueFunction<Delivery()> call);
    void deliver(Delivery delivery); // posts it

private:
    struct Gate;
    static void deliver(Gate& gate, Delivery delivery);
    std::shared_ptr<Gate> m_gate;
};

} // namespace lockscope::zk
