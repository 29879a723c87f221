// What a fuzzer gives to the reader of histories. The first byte says what the rest is:
//   0 a transaction log as it is     1 records (16 bits length, bytes), each put into a log with its checksum
//   and end mark 2 a snapshot as it is            3 the same as 1, given in two parts while the file is
//   followed
// Any other byte counts modulo 4. Reads everything, makes a trace of it and folds that; aborts when a count
// contradicts another.
#pragma once

#include <string_view>

namespace lockscope::tests {

void readAsHistory(std::string_view input);

} // namespace lockscope::tests
