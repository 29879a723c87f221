// Starts a private server, says so in one line (Java's process, the supervisor's, the directory), and then
// ends in the way its argument names: wait (to be killed), exit (without cleaning up), throw (an exception
// that is not caught), suspended (stopped twice, to be killed).
#include "core/server/process/managed_server.h"

#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

#include <unistd.h>

int main(int argc, char** argv)
{
    const std::string way = argc > 1 ? argv[1] : "wait";
    auto server = lockscope::server::ManagedServer::start({});
    if (!server) {
        std::cout << "failed " << server.error().text() << std::endl;
        return 1;
    }
    if (way == "suspended" && !((*server)->suspend() && (*server)->suspend())) {
        std::cout << "failed to suspend" << std::endl;
        return 1;
    }
    std::cout << "up " << (*server)->processId() << ' ' << (*server)->supervisorId() << ' '
              << (*server)->directory().string() << std::endl;
    if (way == "exit")
        std::_Exit(7);
    if (way == "throw")
        throw std::runtime_error("not caught");
    ::pause();
    return 0;
}
