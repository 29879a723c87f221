#include "core/server/process/free_port.h"

#include "core/base/unique_fd.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

namespace lockscope::server {

namespace {

// The bound port (any for 0), or 0 when the port is taken.
std::uint16_t bindOnce(std::uint16_t port)
{
    const UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    // As the server does: closing connections of an earlier server do not occupy the port.
    const int on = 1;
    ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (!fd.valid() || ::bind(fd.get(), generic, size) != 0 || ::listen(fd.get(), 1) != 0 ||
        ::getsockname(fd.get(), generic, &size) != 0)
        return 0;
    return ntohs(address.sin_port);
}

} // namespace

bool isListeningOnLoopback(pid_t process, std::uint16_t port)
{
    std::ifstream sockets("/proc/net/tcp");
    if (!sockets)
        return true;
    // A line: "0: 0100007F:5209 00000000:0000 0A ... inode ..."; 0A is LISTEN, the inode is the tenth word.
    char local[16];
    std::snprintf(local, sizeof local, "0100007F:%04X", static_cast<unsigned>(port));
    std::string wanted;
    for (std::string line; wanted.empty() && std::getline(sockets, line);) {
        std::istringstream words(line);
        std::string number, own, peer, state, skipped, inode;
        words >> number >> own >> peer >> state;
        for (int i = 0; i < 5; ++i)
            words >> skipped;
        if (words >> inode && own == local && state == "0A")
            wanted = "socket:[" + inode + "]";
    }
    if (wanted.empty())
        return false; // a descriptor that has been closed meanwhile has no name either

    namespace fs = std::filesystem;
    std::error_code failure;
    fs::directory_iterator it("/proc/" + std::to_string(process) + "/fd", failure);
    if (failure)
        return true;
    for (; !failure && it != fs::directory_iterator(); it.increment(failure)) {
        std::error_code gone;
        if (fs::read_symlink(it->path(), gone) == wanted)
            return true;
    }
    return false;
}

bool isLoopbackPortFree(std::uint16_t port) { return bindOnce(port) != 0; }

Result<std::uint16_t> pickFreePort()
{
    constexpr int lowest = 15000;
    int outgoing = 32768;
    std::ifstream("/proc/sys/net/ipv4/ip_local_port_range") >> outgoing;
    if (outgoing - lowest >= 1000) {
        std::random_device seed;
        std::uniform_int_distribution<int> any(lowest, outgoing - 1);
        constexpr int attempts = 50;
        for (int i = 0; i < attempts; ++i) {
            const auto port = static_cast<std::uint16_t>(any(seed));
            if (isLoopbackPortFree(port))
                return port;
        }
    }
    if (const auto port = bindOnce(0); port != 0)
        return port;
    return Error{
        ErrorCode::noServer, message("No free port on 127.0.0.1."),
        message("End some programs that listen there, or raise the limit of open files (ulimit -n).")};
}

} // namespace lockscope::server
