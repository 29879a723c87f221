// What a fuzzer gives to the readers of scenarios and lessons. The first byte modulo 2 says which: 0 a
// scenario, 1 a lesson. A scenario that is read, written and read again is the same.
#pragma once

#include <string_view>

namespace lockscope::tests {

void readAsScenario(std::string_view input);

} // namespace lockscope::tests
