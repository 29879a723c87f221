// A faulty link for tests: relays ZooKeeper connections to a server on the loopback address, packet by
// packet, and loses the packet the test names. Sessions connect to address(). Runs on a thread of its own;
// every function may be called from any thread and has taken effect on return.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace lockscope::tests {

class LossyRelay
{
public:
    // ZooKeeper's numbers of the requests as the C client sends them.
    enum class Op : std::int32_t {
        remove = 2,
        exists = 3,
        getData = 4,
        setData = 5,
        sync = 9,
        list = 12,
        create = 15,
        createContainer = 19,
    };

    explicit LossyRelay(const std::string& serverAddress); // "127.0.0.1:2181"
    ~LossyRelay();
    LossyRelay(const LossyRelay&) = delete;
    LossyRelay& operator=(const LossyRelay&) = delete;

    std::string address() const;

    // The server carries out the next such request, its reply is lost, and the connection is reset.
    void loseReplyTo(Op op);
    // The next such request never reaches the server, and the connection is reset.
    void loseRequest(Op op);
    // The next such requests are not carried out; the server's answer to them is this code, ZooKeeper's
    // number.
    void refuse(Op op, std::int32_t code, int times = 1);
    static constexpr std::int32_t kThrottled = -127;
    static constexpr std::int32_t kUnimplemented = -6;
    static constexpr std::int32_t kClosing = -116;

    // Every connection is reset, and every new one too until heal(). After stayDownAfterLoss() a loss above
    // does so too.
    void cut();
    void heal();
    void stayDownAfterLoss();
    // What the client of the n-th connection (from 1) sends after its handshake is kept back for good.
    void muteConnection(int number);

    int connections() const;   // handshakes with the server begun so far
    int losses() const;        // packets lost on purpose so far
    int refusals() const;      // requests refused so far: their answers are on their way
    int requests(Op op) const; // such requests that reached the server
    int replies(Op op) const;  // the server's replies to such requests so far, with those that were lost

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::tests
