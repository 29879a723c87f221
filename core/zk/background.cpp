#include "core/zk/background.h"

#include <boost/asio/post.hpp>

#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace lockscope::zk {

struct Background::Gate
{
    std::mutex mutex;
    boost::asio::io_context* io; // null after the end; guarded by the mutex
};

Background::Background(boost::asio::io_context& io)
    : m_gate(std::make_shared<Gate>())
{
    m_gate->io = &io;
}

Background::~Background()
{
    const std::lock_guard lock(m_gate->mutex);
    m_gate->io = nullptr;
}

void Background::deliver(Gate& gate, Delivery delivery)
{
    const std::lock_guard lock(gate.mutex);
    if (gate.io)
        boost::asio::post(*gate.io, [delivery = std::move(delivery)]() mutable { delivery(); });
}

void Background::deliver(Delivery delivery) { deliver(*m_gate, std::move(delivery)); }

Result<void> Background::start(UniqueFunction<Delivery()> call)
{
    try {
        std::thread([gate = m_gate, call = std::move(call)]() mutable { deliver(*gate, call()); }).detach();
    } catch (const std::system_error& error) {
        return Error{ErrorCode::limitExceeded, message("No thread can be started: %1.", error.what()),
                     message("Raise the limit of threads (ulimit -u).")};
    }
    return {};
}

} // namespace lockscope::zk
