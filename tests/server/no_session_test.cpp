// Why a server gives no session: told by how it answers other questions.
#include "core/server/probe/session_probe.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::server {
namespace {

using boost::asio::ip::tcp;

// A port that answers a four-letter word and a TLS hello as told; none: it closes the connection, empty: it
// waits.
class Port
{
public:
    Port(boost::asio::io_context& io, std::optional<std::string> word, std::optional<std::string> hello)
        : m_acceptor(io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0))
        , m_word(std::move(word))
        , m_hello(std::move(hello))
    {
        accept();
    }
    std::string address() const { return "127.0.0.1:" + std::to_string(m_acceptor.local_endpoint().port()); }

private:
    void accept()
    {
        m_acceptor.async_accept([this](boost::system::error_code failed, tcp::socket socket) {
            if (failed)
                return;
            const auto client = std::make_shared<tcp::socket>(std::move(socket));
            const auto first = std::make_shared<std::array<char, 4>>();
            boost::asio::async_read(
                *client, boost::asio::buffer(*first),
                [this, client, first](boost::system::error_code error, std::size_t) {
                    const std::optional<std::string>& answer = (*first)[0] == 0x16 ? m_hello : m_word;
                    if (error || !answer)
                        return client->close();
                    if (answer->empty())
                        return m_waiting.push_back(client);
                    boost::asio::async_write(*client, boost::asio::buffer(*answer),
                                             [client](boost::system::error_code, std::size_t) {});
                });
            accept();
        });
    }

    tcp::acceptor m_acceptor;
    std::optional<std::string> m_word, m_hello;
    std::vector<std::shared_ptr<tcp::socket>> m_waiting;
};

NoSession whyOf(std::optional<std::string> word, std::optional<std::string> hello)
{
    boost::asio::io_context io{1};
    Port port(io, std::move(word), std::move(hello));
    std::optional<NoSession> why;
    asyncWhyNoSession(io, port.address(), {}, std::chrono::milliseconds(300),
                      [&](const WhyNoSession& given) { why = given.what; });
    for (int i = 0; i < 10'000 && !why; ++i)
        io.run_one_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(why.has_value());
    const Error error = noSession({why.value_or(NoSession::silent)}, port.address());
    EXPECT_EQ(error.code, ErrorCode::noServer);
    EXPECT_NE(error.text().find(port.address()), std::string::npos);
    return why.value_or(NoSession::silent);
}

const std::string kWaits, kAlert("\x15\x03\x03\x00\x02\x02\x50", 7);

TEST(NoSession, IsToldByTheAnswers)
{
    EXPECT_EQ(whyOf("Zookeeper version: 3.8.0-x, built on y\nMode: leader\n", std::nullopt), NoSession::slow);
    EXPECT_EQ(whyOf("ClickHouse Keeper version: v24.3-x\n", std::nullopt), NoSession::slow);
    EXPECT_EQ(whyOf("srvr is not executed because it is not in the whitelist.\n", std::nullopt),
              NoSession::slow);
    EXPECT_EQ(whyOf("This ZooKeeper instance is not currently serving requests\n", std::nullopt),
              NoSession::noQuorum);
    EXPECT_EQ(
        whyOf("Zookeeper version: 3.8.0-x, built on y\nREAD-ONLY mode; serving only read-only clients\n",
              std::nullopt),
        NoSession::noQuorum);
    EXPECT_EQ(whyOf("HTTP/1.1 400 Bad Request\r\n", std::nullopt), NoSession::foreign);
    EXPECT_EQ(whyOf(kWaits, kAlert), NoSession::tls) << "four bytes are no whole record";
    EXPECT_EQ(whyOf(std::nullopt, kAlert), NoSession::tls);
    EXPECT_EQ(whyOf(std::nullopt, std::nullopt), NoSession::closes);
    EXPECT_EQ(whyOf(kWaits, kWaits), NoSession::silent);
    EXPECT_EQ(whyOf(kWaits, std::nullopt), NoSession::slow)
        << "it has understood that the hello is no request";
}

TEST(NoSession, IsToldWhereNothingListens)
{
    boost::asio::io_context io{1};
    std::optional<NoSession> why;
    asyncWhyNoSession(io, "127.0.0.1:1", {}, std::chrono::seconds(1),
                      [&](const WhyNoSession& given) { why = given.what; });
    io.run_for(std::chrono::seconds(30));
    EXPECT_EQ(why, NoSession::unreachable);
}

} // namespace
} // namespace lockscope::server
