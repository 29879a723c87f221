// main() of window tests: GoogleTest under a QApplication that shares no settings with the user's.
#pragma once

#include <QApplication>

#include <cstdio>
#include <exception>

#include <gtest/gtest.h>

namespace lockscope::tests {

// `prepare` gets main()'s arguments without GoogleTest's before the QApplication is made; what it returns
// lives until the end. Returns main()'s exit code; 1 when `prepare` throws, with the reason on standard
// error.
template <class Prepare>
int runWindowTests(int argc, char** argv, Prepare prepare)
{
    testing::InitGoogleTest(&argc, argv);
    try {
        [[maybe_unused]] const auto kept = prepare(argc, argv);
        QApplication application(argc, argv);
        QApplication::setOrganizationName("LockScopeTest");
        QApplication::setApplicationName("lockscope-test");
        return RUN_ALL_TESTS();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

} // namespace lockscope::tests
