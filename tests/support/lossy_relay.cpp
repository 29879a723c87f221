#include "tests/support/lossy_relay.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <atomic>
#include <future>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <utility>

namespace lockscope::tests {

namespace {

using boost::asio::ip::tcp;
using Awaitable = boost::asio::awaitable<void>;
constexpr auto kAwait = boost::asio::as_tuple(boost::asio::use_awaitable);
constexpr std::size_t kHead = 4; // length
constexpr std::size_t kLargestPacket = 8 << 20;

constexpr std::uint32_t kExists = 3;

void append(std::string& bytes, std::uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes.push_back(static_cast<char>(value >> shift & 0xff));
}

std::uint32_t numberAt(const std::string& bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = at; i < at + 4; ++i)
        value = value << 8 | static_cast<unsigned char>(bytes.at(i));
    return value;
}

} // namespace

struct LossyRelay::Impl
{
    struct Link
    {
        explicit Link(tcp::socket accepted, int n)
            : client(std::move(accepted))
            , server(client.get_executor())
            , number(n)
        {}
        tcp::socket client;
        tcp::socket server;
        int number;
        bool clientGreeted = false;
        bool serverGreeted = false;
        std::map<std::uint32_t, Op> asked;              // what the requests under way are, by their number
        std::map<std::uint32_t, std::uint32_t> refused; // the codes to answer them with, by their number
    };
    using LinkPtr = std::shared_ptr<Link>;

    explicit Impl(const std::string& address)
        : acceptor(io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0))
        , target(boost::asio::ip::address_v4::loopback(),
                 static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))))
        , port(acceptor.local_endpoint().port())
    {
        boost::asio::co_spawn(io, acceptAll(this), boost::asio::detached);
        thread = std::thread([this] { io.run(); });
    }

    ~Impl()
    {
        io.stop();
        thread.join();
    }

    // Runs `change` on the relay's thread and waits for it.
    template <class Change>
    void apply(Change change)
    {
        std::promise<void> done;
        boost::asio::post(io, [&] {
            change();
            done.set_value();
        });
        done.get_future().wait();
    }

    static Awaitable acceptAll(Impl* self)
    {
        for (;;) {
            auto [error, socket] = co_await self->acceptor.async_accept(kAwait);
            if (error)
                co_return;
            auto link = std::make_shared<Link>(std::move(socket), 0);
            if (self->down) {
                reset(*link);
                continue;
            }
            link->number = ++self->connections;
            self->links.insert(link);
            boost::asio::co_spawn(self->io, serve(self, link), boost::asio::detached);
        }
    }

    static Awaitable serve(Impl* self, LinkPtr link)
    {
        auto [error] = co_await link->server.async_connect(self->target, kAwait);
        if (error) {
            self->drop(link);
            co_return;
        }
        boost::system::error_code ignored;
        link->client.set_option(tcp::no_delay(true), ignored);
        link->server.set_option(tcp::no_delay(true), ignored);
        boost::asio::co_spawn(self->io, pump(self, link, true), boost::asio::detached);
        boost::asio::co_spawn(self->io, pump(self, link, false), boost::asio::detached);
    }

    static Awaitable pump(Impl* self, LinkPtr link, bool fromClient)
    {
        tcp::socket& from = fromClient ? link->client : link->server;
        tcp::socket& to = fromClient ? link->server : link->client;
        for (;;) {
            std::string packet(kHead, '\0');
            auto [headError, headSize] =
                co_await boost::asio::async_read(from, boost::asio::buffer(packet), kAwait);
            const std::size_t length = headError ? 0 : numberAt(packet, 0);
            if (headError || length > kLargestPacket)
                break;
            packet.resize(kHead + length);
            auto [error, size] = co_await boost::asio::async_read(
                from, boost::asio::buffer(packet.data() + kHead, length), kAwait);
            if (error)
                break;
            if (fromClient && link->clientGreeted && self->muted.contains(link->number))
                co_return;
            const bool lost =
                fromClient ? self->losesRequest(*link, packet) : self->losesReply(*link, packet);
            if (lost) {
                ++self->losses;
                self->down = self->down || self->staysDown;
                break;
            }
            if (fromClient)
                self->refuseRequest(*link, packet);
            else
                refuseReply(*link, packet);
            auto [writeError, written] =
                co_await boost::asio::async_write(to, boost::asio::buffer(packet), kAwait);
            if (writeError)
                break;
        }
        self->drop(link);
    }

    bool losesRequest(Link& link, const std::string& packet)
    {
        if (!std::exchange(link.clientGreeted, true) || packet.size() < kHead + 8)
            return false;
        const Op op{static_cast<std::int32_t>(numberAt(packet, kHead + 4))};
        link.asked[numberAt(packet, kHead)] = op;
        if (request != op) {
            ++passed[op];
            return false;
        }
        request.reset();
        return true;
    }

    bool losesReply(Link& link, const std::string& packet)
    {
        if (!std::exchange(link.serverGreeted, true) || packet.size() < kHead + 4)
            return false;
        const auto asked = link.asked.find(numberAt(packet, kHead));
        if (asked == link.asked.end())
            return false;
        const Op op = asked->second;
        link.asked.erase(asked);
        ++answered[op];
        if (reply != op)
            return false;
        reply.reset();
        return true;
    }

    // The server is asked for something harmless instead, so that the answers stay in their order.
    void refuseRequest(Link& link, std::string& packet)
    {
        if (packet.size() < kHead + 8 || refusedTimes == 0 ||
            refusedOp != Op{static_cast<std::int32_t>(numberAt(packet, kHead + 4))} ||
            !link.asked.contains(numberAt(packet, kHead)))
            return;
        --refusedTimes;
        ++refusals;
        --passed[refusedOp];
        const std::uint32_t number = numberAt(packet, kHead);
        link.refused[number] = refusedCode;
        std::string body;
        append(body, number);
        append(body, kExists);
        append(body, 1); // the path's length
        body += "/";
        body.push_back('\0'); // no watch
        packet.clear();
        append(packet, static_cast<std::uint32_t>(body.size()));
        packet += body;
    }

    // Number, zxid, code, and nothing after it.
    static void refuseReply(Link& link, std::string& packet)
    {
        constexpr std::size_t kReplyHead = 16;
        if (packet.size() < kHead + kReplyHead)
            return;
        const auto found = link.refused.find(numberAt(packet, kHead));
        if (found == link.refused.end())
            return;
        std::string body = packet.substr(kHead, kReplyHead - 4);
        append(body, found->second);
        link.refused.erase(found);
        packet.clear();
        append(packet, kReplyHead);
        packet += body;
    }

    static void reset(Link& link)
    {
        for (tcp::socket* socket : {&link.client, &link.server}) {
            boost::system::error_code ignored;
            if (!socket->is_open())
                continue;
            socket->set_option(tcp::socket::linger(true, 0), ignored);
            socket->close(ignored);
        }
    }

    void drop(const LinkPtr& link)
    {
        links.erase(link);
        reset(*link);
    }

    boost::asio::io_context io;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> keepRunning{io.get_executor()};
    tcp::acceptor acceptor;
    tcp::endpoint target;
    std::uint16_t port;
    std::set<LinkPtr> links;
    std::set<int> muted;
    std::map<Op, int> passed;
    std::map<Op, int> answered;
    std::optional<Op> reply;
    std::optional<Op> request;
    Op refusedOp{};
    std::uint32_t refusedCode = 0;
    int refusedTimes = 0;
    bool down = false;
    bool staysDown = false;
    std::atomic<int> connections{0};
    std::atomic<int> losses{0};
    std::atomic<int> refusals{0};
    std::thread thread;
};

LossyRelay::LossyRelay(const std::string& serverAddress)
    : m_impl(std::make_unique<Impl>(serverAddress))
{}
LossyRelay::~LossyRelay() = default;

std::string LossyRelay::address() const { return "127.0.0.1:" + std::to_string(m_impl->port); }

void LossyRelay::loseReplyTo(Op op)
{
    m_impl->apply([&] { m_impl->reply = op; });
}

void LossyRelay::loseRequest(Op op)
{
    m_impl->apply([&] { m_impl->request = op; });
}

void LossyRelay::refuse(Op op, std::int32_t code, int times)
{
    m_impl->apply([&] {
        m_impl->refusedOp = op;
        m_impl->refusedCode = static_cast<std::uint32_t>(code);
        m_impl->refusedTimes = times;
    });
}

void LossyRelay::cut()
{
    m_impl->apply([&] {
        m_impl->down = true;
        for (const Impl::LinkPtr& link : std::exchange(m_impl->links, {}))
            Impl::reset(*link);
    });
}

void LossyRelay::heal()
{
    m_impl->apply([&] { m_impl->down = m_impl->staysDown = false; });
}

void LossyRelay::stayDownAfterLoss()
{
    m_impl->apply([&] { m_impl->staysDown = true; });
}

void LossyRelay::muteConnection(int number)
{
    m_impl->apply([&] { m_impl->muted.insert(number); });
}

int LossyRelay::connections() const { return m_impl->connections; }
int LossyRelay::losses() const { return m_impl->losses; }
int LossyRelay::refusals() const { return m_impl->refusals; }

int LossyRelay::requests(Op op) const
{
    int count = 0;
    m_impl->apply([&] { count = m_impl->passed[op]; });
    return count;
}

int LossyRelay::replies(Op op) const
{
    int count = 0;
    m_impl->apply([&] { count = m_impl->answered[op]; });
    return count;
}

} // namespace lockscope::tests
