// A ZooKeeper server for tests that answers as the test says: right, wrong, or not at all. Connecting, pings
// and closing it does by itself. On the loopback address, on a thread of its own; every function may be
// called from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::tests {

// ---- the protocol, as it goes over the wire ----

std::string int32(std::int32_t value);
std::string int64(std::int64_t value);
std::string text(const std::string& characters); // with its length
std::string stat();                              // all zeros
std::string packet(const std::string& body);     // with its length
std::string handshake(std::int32_t timeout, std::int64_t session,
                      bool readOnly = false); // the answer to a client's
std::string reply(std::int32_t xid, std::int32_t error, const std::string& body = {});
std::string watchEvent(std::int32_t type, const std::string& path);

struct FakeRequest
{
    std::int32_t xid = 0;
    std::int32_t op =
        0; // ZooKeeper's number: 2 delete, 3 exists, 4 getData, 5 setData, 9 sync, 12 list, 15 create
    std::string path;
};
// The right answer to a request: every node exists, is empty and has no children.
std::string defaultReply(const FakeRequest& request);

class FakeServer
{
public:
    // What is sent for a request, as it is; nothing when it is empty. Runs on the server's thread.
    using Answer = std::function<std::string(const FakeRequest&)>;
    struct Options
    {
        std::string ip = "127.0.0.1";
        std::int32_t timeout = 30'000; // milliseconds: the session's, whatever it asks for
        bool answersHandshakes = true;
        std::vector<std::string> handshake{}; // instead of the right answer: pieces, sent 5 ms apart
        bool readOnly = false;                // has no quorum: only who accepts that gets a session
    };
    explicit FakeServer(Answer answer = defaultReply)
        : FakeServer(std::move(answer), Options())
    {}
    FakeServer(Answer answer, Options options);
    ~FakeServer();
    FakeServer(const FakeServer&) = delete;
    FakeServer& operator=(const FakeServer&) = delete;

    std::string address() const; // "127.0.0.1:2181", "[::1]:2181"
    std::uint16_t port() const;
    int connections() const;              // sessions that have connected so far
    int requests() const;                 // so far, without pings
    void send(std::string bytes);         // to every connection
    void sendAndReset(std::string bytes); // the same, then a RST
    void hangUp();                        // on every connection, and on new ones from now on

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::tests
