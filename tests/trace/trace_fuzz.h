// What a fuzzer gives to the reader of trace files: a file. What could be read is folded, and saved and read
// again gives the same lines.
#pragma once

#include <string_view>

namespace lockscope::tests {

void readAsTrace(std::string_view input);

} // namespace lockscope::tests
