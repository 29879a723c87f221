// The words of a trace script. Each throws std::invalid_argument.
#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::tests::script_words {

std::int64_t number(std::string_view word);
bool isTime(std::string_view word); // "10ms", "250us"
bool isNode(std::string_view word); // "n7", "l7", "r7", "w7"
Zxid zxidOf(std::string_view word); // of the node "n7": 0x107; none for other words
const std::string& argument(const std::vector<std::string>& words, std::size_t at);

} // namespace lockscope::tests::script_words
