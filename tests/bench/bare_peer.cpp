// bare_peer HOST:PORT [list|awake]: the bare C client in a process of its own, driven as the contestants are
// (tests/interop/peers/README.md: open, uncontended), with one session. With "list" a list of the children
// goes out with each create; with "awake" it waits for replies as our I/O thread does where that is quicker.
// Ends when standard input ends.
#include "tests/bench/bare_client.h"

#include <iostream>
#include <sstream>
#include <string_view>

int main(int argc, char** argv)
{
    const std::string_view mode = argc == 3 ? argv[2] : "";
    const bool withList = mode == "list";
    const bool awake = mode == "awake";
    if (argc < 2 || argc > 3 || (argc == 3 && !withList && !awake)) {
        std::cerr << "usage: bare_peer HOST:PORT [list|awake]\n";
        return 2;
    }
    lockscope::bench::BareClient client(argv[1], awake);
    std::cout << "ready" << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string order, path;
        int which = 0, cycles = 0;
        words >> order;
        if (order == "open") {
            std::cout << "opened 1 0" << std::endl;
        } else if (order == "uncontended" && words >> which >> path >> cycles) {
            const double seconds = client.createDelete(path, cycles, withList);
            std::cout << "uncontended " << static_cast<long long>(seconds * 1e9) << std::endl;
        } else {
            std::cout << "failed 0 " << line << ": not understood" << std::endl;
        }
    }
    return 0;
}
