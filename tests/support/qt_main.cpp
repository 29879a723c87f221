// main() of the offscreen window tests.
#include "tests/support/qt_main.h"

int main(int argc, char** argv)
{
    return lockscope::tests::runWindowTests(argc, argv, [](int, char**) { return 0; });
}
