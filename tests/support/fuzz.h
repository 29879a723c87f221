// What the fuzz targets share. A target is a function that takes any bytes and aborts when what it read
// breaks a promise: tests/fuzz lets libFuzzer call it, and a test of the same folder gives it the committed
// inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace lockscope::tests {

inline void require(bool holds, const char* what)
{
    if (holds)
        return;
    std::fprintf(stderr, "broken: %s\n", what);
    std::abort();
}

// Reads every file of a corpus, whole and cut off in so many places. Returns the number of files.
template <class Target>
int replayCorpus(const std::filesystem::path& corpus, Target target, std::size_t cuts = 32)
{
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
        std::ifstream in(entry.path(), std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(in), {}};
        std::fprintf(stderr, "%s\n", entry.path().filename().c_str());
        target(std::string_view(bytes));
        for (std::size_t size = 0; cuts > 0 && size < bytes.size(); size += 1 + bytes.size() / cuts)
            target(std::string_view(bytes).substr(0, size));
        ++files;
    }
    return files;
}

} // namespace lockscope::tests

#ifdef LOCKSCOPE_FUZZER
#define LOCKSCOPE_FUZZ_TARGET(function)                                                                      \
    extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)                        \
    {                                                                                                        \
        function({reinterpret_cast<const char*>(data), size});                                               \
        return 0;                                                                                            \
    }
#else
#define LOCKSCOPE_FUZZ_TARGET(function)
#endif
