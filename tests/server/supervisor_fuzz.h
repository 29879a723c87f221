// What a fuzzer gives to the parent's end of the supervisor's protocol: bytes 1 to 4 make a request, byte 5
// lets time pass, all others are what the supervisor sent. Every request is answered once.
#pragma once

#include <string_view>

namespace lockscope::tests {

void readAsSupervisor(std::string_view input);

} // namespace lockscope::tests
