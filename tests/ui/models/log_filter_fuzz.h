// What a fuzzer gives to the log's filter: what a person types, in UTF-8. Its terms meet every event of a
// run.
#pragma once

#include <string_view>

namespace lockscope::tests {

void readAsLogFilter(std::string_view input);

} // namespace lockscope::tests
