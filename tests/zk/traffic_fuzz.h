// What a fuzzer gives to the reader of traffic: pieces, each a byte (its direction, and how long it is) and
// that many bytes. What is read is the same however the pieces are cut.
#pragma once

#include <string>
#include <string_view>

namespace lockscope::tests {

std::string transcriptOf(std::string_view pieces, bool byteByByte); // a line for all that was read
void readAsTraffic(std::string_view input);

} // namespace lockscope::tests
