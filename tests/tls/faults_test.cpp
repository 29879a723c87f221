// The table of TLS faults: a server that is not what was meant, or does not want us, and what is said of it.
// The faults of a client are put to a real ZooKeeper, those of a certificate and of a protocol to a server of
// our own.
#include "core/server/probe/session_probe.h"
#include "tests/tls/secured.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <gmock/gmock.h>

#include <array>
#include <atomic>
#include <thread>

namespace lockscope::tests {
namespace {

using boost::asio::ip::tcp;
using ::testing::HasSubstr;

// A server that shows this certificate, answers one word as a ZooKeeper does, and closes. Without a
// certificate it answers every connection with this text.
class Peer
{
public:
    // `clients`: the authority of the certificates that it demands; empty: it demands none.
    explicit Peer(const std::string& certificate, int version = TLS1_3_VERSION,
                  const std::string& clients = {})
        : m_context(boost::asio::ssl::context::tls_server)
        , m_thread([this] { serve(); })
    {
        if (certificate.empty())
            return;
        m_context.use_certificate_chain_file(certificate);
        m_context.use_private_key_file(certificate, boost::asio::ssl::context::pem);
        SSL_CTX_set_min_proto_version(m_context.native_handle(), version);
        SSL_CTX_set_max_proto_version(m_context.native_handle(), version);
        if (!clients.empty()) {
            m_context.load_verify_file(clients);
            m_context.set_verify_mode(boost::asio::ssl::verify_peer |
                                      boost::asio::ssl::verify_fail_if_no_peer_cert);
        }
        m_secured = true;
    }
    ~Peer()
    {
        m_over = true;
        tcp::socket last(m_io);
        boost::system::error_code ignored;
        last.connect(m_acceptor.local_endpoint(), ignored); // wakes it
        m_thread.join();
    }
    std::string address() const { return "127.0.0.1:" + std::to_string(m_acceptor.local_endpoint().port()); }
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;

private:
    void serve()
    {
        for (;;) {
            tcp::socket socket(m_io);
            m_acceptor.accept(socket);
            if (m_over)
                return;
            boost::system::error_code failed;
            std::array<char, 4> word{};
            if (!m_secured) {
                boost::asio::write(socket, boost::asio::buffer("HTTP/1.1 400 Bad Request\r\n\r\n", 28),
                                   failed);
                continue;
            }
            boost::asio::ssl::stream<tcp::socket&> stream(socket, m_context);
            stream.handshake(boost::asio::ssl::stream_base::server, failed);
            if (!failed)
                boost::asio::read(stream, boost::asio::buffer(word), failed);
            if (!failed)
                boost::asio::write(stream, boost::asio::buffer("Zookeeper version: 3.9.0-x\n", 27), failed);
        }
    }

    boost::asio::io_context m_io;
    tcp::acceptor m_acceptor{m_io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)};
    boost::asio::ssl::context m_context;
    std::atomic<bool> m_secured = false, m_over = false;
    std::thread m_thread;
};

std::string saidOf(const std::string& address, const tls::Security& security)
{
    boost::asio::io_context io{1};
    std::string said;
    server::asyncWhyNoSession(io, address, security, std::chrono::seconds(4),
                              [&](const server::WhyNoSession& why) {
                                  said = server::noSession(why, address, security.hostOf(address)).text();
                              });
    io.run();
    return said;
}

struct Fault
{
    const char* name;
    // Asks a server, and returns what is said of it.
    std::string (*ask)(Secured& world);
    std::vector<std::string> said; // parts of it
};

std::ostream& operator<<(std::ostream& out, const Fault& fault) { return out << fault.name; }

class TlsFaults : public Secured, public ::testing::WithParamInterface<Fault>
{};

TEST_P(TlsFaults, AreNamedWithTheRemedy)
{
    const std::string said = GetParam().ask(*this);
    for (const std::string& part : GetParam().said)
        EXPECT_THAT(said, HasSubstr(part));
    EXPECT_THAT(said, HasSubstr("he server at 127.0.0.1:"));
}

std::string askPeer(Secured& world, const Authority::Wanted& wanted)
{
    const Peer peer(world.authority().issue(wanted));
    return saidOf(peer.address(), world.trusting());
}

const Fault kFaults[] = {
    {"WrongHost",
     [](Secured& world) {
         tls::Security security = world.mutual();
         security.names[world.needing().secure()] = "zk1.example";
         return saidOf(world.needing().secure(), security);
     },
     {"is for another host than zk1.example", "subjectAltName"}},
    {"WrongAddress",
     [](Secured& world) { return askPeer(world, {.name = "s", .hosts = "DNS:localhost"}); },
     {"is for another host than 127.0.0.1", "subjectAltName"}},
    {"UnknownAuthority",
     [](Secured& world) {
         return saidOf(world.needing().secure(), world.security({.ca = world.stranger().certificate()}));
     },
     {"from an authority that is not trusted here", "--ca"}},
    {"Expired",
     [](Secured& world) {
         return askPeer(world,
                        {.name = "s", .from = -std::chrono::hours(9), .until = -std::chrono::hours(1)});
     },
     {"has expired", "renewed"}},
    {"NotYetValid",
     [](Secured& world) { return askPeer(world, {.name = "s", .from = std::chrono::hours(9)}); },
     {"is not valid yet", "clocks"}},
    {"CertificateMissing",
     [](Secured& world) { return saidOf(world.needing().secure(), world.trusting()); },
     {"demands a certificate of its clients", "--cert", "--key"}},
    {"CertificateMissingInTls12",
     [](Secured& world) {
         const Peer peer(world.authority().issue({.name = "s"}), TLS1_2_VERSION,
                         world.authority().certificate());
         return saidOf(peer.address(), world.trusting());
     },
     {"demands a certificate of its clients", "--cert", "--key"}},
    {"CertificateRefused",
     [](Secured& world) {
         return saidOf(world.needing().secure(),
                       world.security({.ca = world.authority().certificate(),
                                       .certificate = world.stranger().issue({.name = "client"})}));
     },
     {"refuses our certificate", "ssl.trustStore.location"}},
    {"PlainPort",
     [](Secured& world) { return saidOf(world.needing().plain(), world.mutual()); },
     {"is a ZooKeeper, but this port speaks no TLS", "secureClientPort"}},
    {"SecurePortInPlainText",
     [](Secured& world) { return saidOf(world.needing().secure(), {}); },
     {"expects TLS, and was spoken to without it", "tls://"}},
    {"NoZooKeeper",
     [](Secured& world) {
         const Peer peer("");
         return saidOf(peer.address(), world.trusting());
     },
     {"does not speak TLS", "secureClientPort"}},
    {"OldTls",
     [](Secured& world) {
         const Peer peer(world.authority().issue({.name = "s"}), TLS1_1_VERSION);
         return saidOf(peer.address(), world.trusting());
     },
     {"has no version of TLS or cipher in common", "ssl.enabledProtocols"}},
};

INSTANTIATE_TEST_SUITE_P(EachOne, TlsFaults, ::testing::ValuesIn(kFaults),
                         [](const auto& row) { return std::string(row.param.name); });

} // namespace
} // namespace lockscope::tests
