// A libFuzzer target. Configure with clang and -DLOCKSCOPE_FUZZ=ON, then: history_fuzz tests/fuzz/corpus/history
#include "tests/fuzz/history_input.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    lockscope::tests::readAsHistory({reinterpret_cast<const char*>(data), size});
    return 0;
}
