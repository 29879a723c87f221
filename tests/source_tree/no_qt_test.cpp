// lockscope-cli is for machines without Qt: nothing it loads, directly or not, may be a Qt library.
#include <gmock/gmock.h>

#include <cstdio>
#include <memory>
#include <string>

namespace {

// What the dynamic loader would load for this program, as ldd prints it.
std::string librariesOf(const std::string& program)
{
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(("ldd '" + program + "' 2>&1").c_str(), "r"),
                                                     ::pclose);
    std::string text;
    char chunk[4096];
    while (pipe && std::fgets(chunk, sizeof chunk, pipe.get()) != nullptr)
        text += chunk;
    return text;
}

TEST(LockscopeCli, LoadsNoQt)
{
    const auto libraries = librariesOf(LOCKSCOPE_CLI);
    EXPECT_THAT(libraries, ::testing::HasSubstr("libc.so")) << "ldd did not work";
    EXPECT_THAT(libraries, ::testing::Not(::testing::HasSubstr("not found")));
    EXPECT_THAT(libraries, ::testing::Not(::testing::HasSubstr("libQt")));
}

} // namespace
