// main() of the tests on a Wayland screen: --scale=1.25, then the arguments of GoogleTest.
#include "tests/support/qt_main.h"
#include "tests/ui/wayland/wayland_screen.h"

#include <memory>
#include <string>

namespace lockscope::tests {

const Weston* waylandScreen = nullptr;

namespace {

std::unique_ptr<Weston> makeWaylandScreen(int argc, char** argv)
{
    const std::string scale = "--scale=";
    for (int i = 1; i < argc; ++i) {
        if (std::string(argv[i]).starts_with(scale))
            qputenv("QT_SCALE_FACTOR", argv[i] + scale.size());
    }
    auto weston = std::make_unique<Weston>(QSize(1600, 1000));
    waylandScreen = weston.get();
    return weston;
}

} // namespace
} // namespace lockscope::tests

int main(int argc, char** argv)
{
    return lockscope::tests::runWindowTests(argc, argv, lockscope::tests::makeWaylandScreen);
}
