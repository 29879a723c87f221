// TLS for the C client, which Debian builds without. The library opens a TCP connection to a server in
// zookeeper_interest(), and uses it in zookeeper_process(). In between we take the connection for ourselves
// and put one end of a socket pair under the library's descriptor: what the library writes there is sent on
// over TLS, once the server has shown that it is the one that was meant, and what comes over TLS is put
// there. There is no listener that another program could connect to, and no way past the tunnel: until it is
// there the library gets no event. I/O thread. Waits with the hub's epoll set, so that it also works while
// the hub shuts down.
#pragma once

#include "core/base/unique_fd.h"
#include "core/base/unique_function.h"
#include "core/tls/channel.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace lockscope::zk::c_client {

class Tunnels
{
public:
    // In the epoll data; the upper half is the number of the end.
    static constexpr std::uint32_t kSlot = 0xFFFFFFFE;
    struct Owner // a session of the hub
    {
        std::size_t slot = 0;
        std::uint32_t generation = 0;
    };
    // The tunnel of this session to this server may be used; or, with a failure, it has ended for that
    // reason.
    using Changed = UniqueFunction<void(const Owner&, const std::string& server, const tls::Failure&)>;

    Tunnels(int epollFd, Changed changed);
    ~Tunnels(); // ends them
    Tunnels(const Tunnels&) = delete;
    Tunnels& operator=(const Tunnels&) = delete;

    // True for the library's end of a tunnel: for any other socket takeOver() must come before its use.
    static bool isEnd(int fd);
    // Puts a tunnel under `fd`, a socket that is still connecting. False: not possible, and `fd` is as
    // before.
    bool takeOver(int fd, const Owner& owner, const tls::Security& security);
    // Moves what can be moved. When the tunnel ends, the library finds its end closed.
    void onIo(std::uint32_t number, std::uint32_t epollEvents);
    bool empty() const { return m_tunnels.empty(); }

private:
    struct Tunnel
    {
        Owner owner{};
        tls::Security security{};
        UniqueFd server{}, library{};          // our ends
        std::string address{};                 // of the server, once it is connected
        std::optional<tls::Channel> channel{}; // on the server's end; the same
        bool ready = false;
        std::string toServer{},
            toLibrary{}; // what the other side does not take yet: so long nothing more is read
        std::uint32_t serverWanted = 0, libraryWanted = 0;              // events to wait for
        std::optional<std::uint32_t> serverWatched{}, libraryWatched{}; // in the epoll set
    };
    using Number = std::uint32_t; // of a tunnel's end at the server; the library's has one more

    bool advance(Tunnel& tunnel);
    static bool begin(Tunnel& tunnel);
    bool fromServer(Tunnel& tunnel);
    bool fromLibrary(Tunnel& tunnel);
    void watch(Number number, int fd, std::uint32_t wanted, std::optional<std::uint32_t>& watched) const;

    const int m_epollFd;
    Changed m_changed;
    std::map<Number, std::unique_ptr<Tunnel>> m_tunnels;
    Number m_next = 0;
    std::array<char, 16384> m_piece; // a whole record of TLS, so that none stays inside the channel unseen
};

} // namespace lockscope::zk::c_client
