// main() of the tests on a Wayland screen: --scale=1.25, then the arguments of GoogleTest.
#include "tests/ui/wayland/wayland_screen.h"

#include <QApplication>

#include <cstdio>
#include <exception>
#include <string>

#include <gtest/gtest.h>

namespace lockscope::tests {

const Weston* waylandScreen = nullptr;

namespace {

int runTests(int argc, char** argv)
{
    testing::InitGoogleTest(&argc, argv);
    const std::string scale = "--scale=";
    for (int i = 1; i < argc; ++i) {
        if (std::string(argv[i]).starts_with(scale))
            qputenv("QT_SCALE_FACTOR", argv[i] + scale.size());
    }
    const Weston weston({1600, 1000});
    waylandScreen = &weston;
    QApplication application(argc, argv);
    QApplication::setOrganizationName("LockScopeTest");
    QApplication::setApplicationName("lockscope-test");
    QApplication::setStyle("Fusion");
    return RUN_ALL_TESTS();
}

} // namespace
} // namespace lockscope::tests

int main(int argc, char** argv)
{
    try {
        return lockscope::tests::runTests(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
