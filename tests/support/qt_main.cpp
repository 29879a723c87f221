// main() of the window tests: GoogleTest under a QApplication.
#include <QApplication>

#include <gtest/gtest.h>

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QApplication::setOrganizationName("LockScopeTest");
    QApplication::setApplicationName("lockscope-test");
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
