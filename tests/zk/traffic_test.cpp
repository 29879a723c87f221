// What passes between a client of any library and its server is read as it passes, and garbage ends the
// reading, nothing else.
#include "core/zk/wire/traffic_reader.h"
#include "tests/support/fuzz.h"
#include "tests/zk/traffic_fuzz.h"

#include <gtest/gtest.h>

namespace lockscope::tests::traffic {
namespace {

namespace wire = zk::wire;
using jute::Writer;

enum class From { client, server };

// The bytes in pieces of at most 127, as the fuzz target reads them.
std::string passing(From from, const std::string& bytes)
{
    std::string pieces;
    for (std::size_t at = 0; at < bytes.size(); at += 0x7f) {
        const std::string piece = bytes.substr(at, 0x7f);
        pieces += static_cast<char>(piece.size() | (from == From::server ? 0x80 : 0));
        pieces += piece;
    }
    return pieces;
}

std::string client(const std::string& frame) { return passing(From::client, frame); }
std::string server(const Writer& body) { return passing(From::server, body.framed()); }

std::string handshake(std::int32_t timeoutMs = 4000)
{
    return client(wire::connectRequest(Zxid::none(), 4000, {})) +
           server(Writer().int32(0).int32(timeoutMs).int64(77).buffer(std::string(16, 'p')).boolean(false));
}

Writer request(std::int32_t xid, OpCode op)
{
    return Writer().int32(xid).int32(static_cast<std::int32_t>(op));
}
std::string create(std::int32_t xid, std::string_view path, std::int32_t mode)
{
    return client(request(xid, OpCode::create)
                      .buffer(path)
                      .buffer("data")
                      .int32(1)
                      .int32(31)
                      .buffer("world")
                      .buffer("anyone")
                      .int32(mode)
                      .framed());
}
Writer reply(std::int32_t xid, std::int32_t error = 0) { return Writer().int32(xid).int64(9).int32(error); }

TEST(Traffic, TellsRequestsRepliesAndWatchEvents)
{
    const std::string pieces =
        handshake() + create(1, "/lock/n-", 3) + server(reply(1).buffer("/lock/n-0000000000")) +
        client(wire::readRequest(2, OpCode::getChildren, "/lock", true)) +
        client(wire::emptyRequest(wire::kPingXid, OpCode::ping)) +
        server(reply(2).int32(2).buffer("n-0000000000").buffer("n-0000000001")) +
        server(reply(wire::kPingXid)) + server(reply(wire::kEventXid).int32(4).int32(3).buffer("/lock")) +
        client(wire::pathRequest(3, OpCode::remove, "/lock/n-0000000000")) + server(reply(3, -101)) +
        client(wire::emptyRequest(4, OpCode::closeSession));
    EXPECT_EQ(transcriptOf(pieces, true), "session 77 4000\n"
                                          "request 1 /lock/n- ephemeralsequential\n"
                                          "reply 1 0 /lock/n-0000000000\n"
                                          "request 8 /lock watch\n"
                                          "reply 2 0 n-0000000000 n-0000000001\n"
                                          "watch 4 /lock\n"
                                          "request 2 /lock/n-0000000000\n"
                                          "reply 3 -101\n"
                                          "request -11\n");
    EXPECT_EQ(transcriptOf(pieces, false), transcriptOf(pieces, true));
}

TEST(Traffic, TellsAnEndedSessionByItsTimeOfZero)
{
    EXPECT_EQ(transcriptOf(handshake(0), false), "session 77 0\n");
}

TEST(Traffic, WhatIsNotTheProtocolEndsTheReading)
{
    const std::string after = create(1, "/lock/n-", 3);
    EXPECT_EQ(transcriptOf(client("ruok") + after, false), "not understood\n") << "longer than the cap";
    EXPECT_EQ(transcriptOf(handshake() + client(Writer().int32(1).framed()) + after, false),
              "session 77 4000\nnot understood\n")
        << "no room for an operation";
    EXPECT_EQ(transcriptOf(handshake() + server(reply(5)) + after, false),
              "session 77 4000\nnot understood\n")
        << "the answer to no request";
    EXPECT_EQ(transcriptOf(handshake() + after + server(reply(1)), false),
              "session 77 4000\nrequest 1 /lock/n- ephemeralsequential\nnot understood\n")
        << "no path in the reply";
    EXPECT_EQ(transcriptOf(handshake() + client(wire::readRequest(1, OpCode::getChildren, "/l", false)) +
                               server(reply(1).int32(1 << 30)),
                           false),
              "session 77 4000\nrequest 8 /l\nnot understood\n")
        << "more names than bytes";
}

TEST(TrafficCorpus, IsReadToTheEnd) { EXPECT_GE(replayCorpus(LOCKSCOPE_TRAFFIC_CORPUS, readAsTraffic), 4); }

} // namespace
} // namespace lockscope::tests::traffic
