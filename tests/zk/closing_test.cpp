// Sessions are closed without blocking the hub, any number at the same time, and without a thread: whether
// the server answers, has stopped, or still has requests to read.
#include "core/base/unique_fd.h"
#include "tests/support/fake_server.h"
#include "tests/support/zk_world.h"
#include "tests/zk/driven_hub.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace lockscope::tests {
namespace {

using namespace std::chrono_literals;

class Closing : public ZkTest
{
protected:
    std::vector<HubSessionPtr> connect(std::size_t count)
    {
        std::vector<HubSessionPtr> sessions;
        for (std::size_t i = 0; i < count; ++i)
            sessions.push_back(world->connect(60s));
        return sessions;
    }
    // How long it takes to close them all.
    Duration close(const std::vector<HubSessionPtr>& sessions)
    {
        const MonotonicTime begin = MonotonicClock::now();
        for (const HubSessionPtr& session : sessions)
            session->close();
        EXPECT_LT(MonotonicClock::now() - begin, 500ms) << "close() does not wait";
        bool closed = false;
        world->hub().whenClosed([&] { closed = true; });
        world->runUntil([&] { return closed; }, "the sessions to be closed");
        return MonotonicClock::now() - begin;
    }
};

TEST_F(Closing, ManyAtOnceTakeNoLongerThanOneWhenTheServerHasStopped)
{
    const auto one = connect(1);
    const auto eight = connect(8);
    ASSERT_TRUE(world->server().suspend());
    const Duration alone = close(one);
    const Duration together = close(eight);
    EXPECT_LT(together, 3 * alone);
    ASSERT_TRUE(world->server().resume());
}

TEST_F(Closing, EndsTheSessionAtTheServer)
{
    const auto sessions = connect(20);
    for (std::size_t i = 0; i < sessions.size(); ++i)
        ASSERT_EQ(world->create(*sessions[i], "/" + std::to_string(i), {}, zk::CreateMode::ephemeral).code,
                  zk::Code::ok);
    close(sessions);
    for (std::size_t i = 0; i < sessions.size(); ++i)
        EXPECT_FALSE(world->exists("/" + std::to_string(i))) << "its session would last for a minute";
}

TEST_F(Closing, WaitsForTheClosesThatCameBeforeIt)
{
    const auto sessions = connect(2);
    std::string order;
    sessions[0]->close();
    world->hub().whenClosed([&] { order += 'a'; });
    sessions[1]->close();
    world->hub().whenClosed([&] { order += 'b'; });
    world->runUntil([&] { return order.size() == 2; }, "both");
    EXPECT_EQ(order, "ab");
}

TEST_F(Closing, TheEndOfTheHubDoesNotTakeLongerForMany)
{
    const auto sessions = connect(6);
    ASSERT_TRUE(world->server().suspend());
    const MonotonicTime begin = MonotonicClock::now();
    world->destroyHub();
    EXPECT_LT(MonotonicClock::now() - begin, 6s) << "one takes a second and a half";
    ASSERT_TRUE(world->server().resume());
}

// ---- sockets ----

// The open files of this process, by name ("socket:[1234]"), with a descriptor of each.
std::map<std::string, int> openFiles()
{
    std::map<std::string, int> all;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code gone; // the descriptor of the iterator itself
        all.emplace(std::filesystem::read_symlink(entry.path(), gone), std::stoi(entry.path().filename()));
    }
    return all;
}

TEST_F(Closing, AProgramThatThisOneStartsInheritsNoConnection)
{
    const std::map<std::string, int> before = openFiles();
    const auto session = world->connect();
    std::size_t added = 0;
    for (const auto& [name, descriptor] : openFiles()) {
        if (before.contains(name) || !name.starts_with("socket:"))
            continue;
        ++added;
        EXPECT_NE(::fcntl(descriptor, F_GETFD) & FD_CLOEXEC, 0) << name;
    }
    EXPECT_EQ(added, 1U);
}

// ---- a server that is slow to read ----

// Accepts one connection, answers its handshake, and reads when it is told to.
class SlowReader
{
public:
    SlowReader()
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(::bind(m_listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
        EXPECT_EQ(::listen(m_listener.get(), 1), 0);
    }
    std::string address() const
    {
        sockaddr_in address{};
        socklen_t length = sizeof address;
        ::getsockname(m_listener.get(), reinterpret_cast<sockaddr*>(&address), &length);
        return "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    }
    void answerHandshake()
    {
        if (m_peer.valid())
            return;
        UniqueFd accepted(::accept4(m_listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (!accepted.valid())
            return;
        const std::string hello = handshake(30'000, 0x1234);
        EXPECT_EQ(::send(accepted.get(), hello.data(), hello.size(), 0), static_cast<ssize_t>(hello.size()));
        m_peer = std::move(accepted);
    }
    void read()
    {
        std::string bytes(1 << 20, '\0');
        for (;;) {
            const ssize_t count = ::recv(m_peer.get(), bytes.data(), bytes.size(), 0);
            if (count <= 0)
                return;
            m_received.append(bytes, 0, static_cast<std::size_t>(count));
        }
    }
    // Its xid is not 0: in the transaction log that is the close of a session that expired.
    bool hasClosed() const
    {
        const std::size_t frame = m_received.size() - std::min<std::size_t>(m_received.size(), 12);
        const std::string_view last = std::string_view(m_received).substr(frame);
        return last.size() == 12 && last.starts_with(int32(8)) && last.ends_with(int32(-11)) &&
               last.substr(4, 4) != int32(0);
    }
    const std::string& received() const { return m_received; }
    void hangUp() { m_peer.reset(); }

private:
    UniqueFd m_listener{::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    UniqueFd m_peer;
    std::string m_received;
};

TEST(ClosingOfABusySession, SendsEverythingThatWasAskedBeforeIt)
{
    SlowReader server;
    DrivenHub hub;
    const auto session = hub.connecting(server.address());
    ASSERT_TRUE(hub.runUntil([&] {
        server.answerHandshake();
        return session->phase() == zk::SessionPhase::connected;
    }));
    constexpr std::size_t kRequests = 150;
    const std::string data(60'000, 'x'); // more than the buffers of the sockets take
    for (std::size_t i = 0; i < kRequests; ++i)
        session->setData("/a", data, [](const zk::StatReply&) {});
    session->close();
    bool closed = false;
    hub.hub().whenClosed([&] { closed = true; });
    EXPECT_TRUE(hub.runUntil([&] {
        server.read();
        return server.hasClosed();
    }));
    EXPECT_GT(server.received().size(), kRequests * data.size());
    server.hangUp();
    EXPECT_TRUE(hub.runUntil([&] { return closed; }));
}

} // namespace
} // namespace lockscope::tests
