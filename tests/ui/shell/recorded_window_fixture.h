// The window with a recorded run, for its tests.
#pragma once

#include "core/trace/trace_file.h"
#include "tests/support/sample_run.h"
#include "tests/ui/window_test_fixture.h"

namespace lockscope::ui {

struct MainWindowTest : WindowTest
{
    MainWindowTest()
    {
        MainWindow::Setup setup;
        setup.settings = &settings;
        window = shownWindow(setup);
    }

    QString saved(const char* name, const tests::SampleOptions& options = {})
    {
        const QString path = folder.filePath(name);
        const auto store = tests::sampleRun(options);
        EXPECT_TRUE(trace::saveTrace(path.toStdString(), *store, store->count()).has_value());
        return path;
    }

    void open(const QString& path)
    {
        window->control().openPath(path);
        ASSERT_TRUE(waitFor([this] { return window->model().hasRun(); }));
        ASSERT_TRUE(waitFor([this] { return !window->model().opening(); }));
    }
};

} // namespace lockscope::ui
