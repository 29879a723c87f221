#include "tests/zk/wire_fuzz.h"

#include "core/zk/wire/observer_session.h"
#include "tests/support/fuzz.h"
#include "tests/support/memory_file.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>

namespace lockscope::tests {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr char kWithSasl = 2; // the first byte of the input
constexpr std::size_t kHello = 4 + 44 + 1;

std::string handshake()
{
    jute::Writer body;
    body.int32(0).int32(30'000).int64(0x1000).buffer(std::string(16, 'p')).boolean(false);
    jute::Writer frame;
    frame.buffer(body.bytes());
    return frame.bytes();
}

} // namespace

void feedToObserver(std::string_view input)
{
    asio::io_context io(1);
    zk::wire::IoScheduler scheduler(io);
    tcp::acceptor acceptor(io, {asio::ip::make_address("127.0.0.1"), 0});
    tcp::socket server(io);
    std::string hello(kHello, '\0');
    const bool shakesHands = !input.empty() && input.front() != 0;
    const std::string bytes =
        (shakesHands ? handshake() : std::string()) + std::string(input.substr(input.empty() ? 0 : 1));
    std::array<int, 7> answers{};
    bool over = false;
    zk::wire::ObserverOptions options{"127.0.0.1:" + std::to_string(acceptor.local_endpoint().port()),
                                      std::chrono::seconds(10),
                                      std::chrono::seconds(1),
                                      {},
                                      std::size_t{1} << 20};
    static const MemoryFile proof("user:password\n");
    if (!input.empty() && input.front() == kWithSasl)
        options.sasl = {zk::wire::SaslMechanism::digestMd5, proof.path()};
    auto session = zk::wire::ObserverSession::connect(scheduler, options);
    std::size_t seen = 0;
    session->onEvent([&](const zk::wire::NodeEvent& event) { seen += event.path.size(); });
    std::vector<zk::WatchPtr> watches;
    session->addListener([&](zk::SessionPhase phase) {
        if (phase != zk::SessionPhase::connected) {
            over = true;
            return;
        }
        if (!watches.empty())
            return;
        session->addWatch("/", zk::wire::WatchMode::persistentRecursive, [&](zk::Code) { ++answers[0]; });
        session->getNode("/a", [&](const zk::wire::NodeReply& reply) {
            answers[1] += 1 + static_cast<int>(reply.bytes.size() / (1 << 21));
        });
        watches.push_back(session->getChildren(
            "/a", [](zk::WatchKind) {},
            [&](zk::Code, zk::ChildNames names, const zk::Stat&) {
                for (const char* name : names)
                    seen += std::string_view(name).size();
                ++answers[2];
            }));
        watches.push_back(session->exists(
            "/a", [](zk::WatchKind) {}, [&](const zk::StatReply&) { ++answers[3]; }));
        session->sync("/", [&](zk::Code) { ++answers[4]; });
        session->getData("/b", [&](const zk::Data&) { ++answers[5]; });
        session->getNodes({"/a", "/b"}, [&](const std::vector<zk::wire::NodeReply>& replies) {
            answers[6] += replies.size() == 2 ? 1 : 2;
        });
    });
    // It has read all of it then. (It tries again after a pause, which is not waited for.)
    const std::function<void()> awaitEnd = [&] {
        server.async_read_some(asio::buffer(hello), [&](const boost::system::error_code& ended, std::size_t) {
            ended ? void(over = true) : awaitEnd();
        });
    };
    acceptor.async_accept(server, [&](const boost::system::error_code& failed) {
        if (failed)
            return;
        asio::async_read(server, asio::buffer(hello),
                         [&](const boost::system::error_code& lost, std::size_t) {
                             if (lost)
                                 return;
                             asio::async_write(server, asio::buffer(bytes),
                                               [&](const boost::system::error_code&, std::size_t) {
                                                   boost::system::error_code ignored;
                                                   server.shutdown(tcp::socket::shutdown_send, ignored);
                                                   awaitEnd();
                                               });
                         });
    });
    const auto deadline = MonotonicClock::now() + std::chrono::seconds(2);
    while (!over && MonotonicClock::now() < deadline)
        io.run_one_for(std::chrono::milliseconds(50));
    session->close();
    acceptor.close();
    server.close();
    session.reset();
    io.run_for(std::chrono::seconds(3));
    for (const int each : answers)
        if (each != (watches.empty() ? 0 : 1)) {
            std::fprintf(stderr, "a request was answered %d times\n", each);
            std::abort();
        }
    if (seen == static_cast<std::size_t>(-1))
        std::abort();
}

} // namespace lockscope::tests

LOCKSCOPE_FUZZ_TARGET(lockscope::tests::feedToObserver)
