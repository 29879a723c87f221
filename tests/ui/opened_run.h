// A run that is saved, opened in the window, and read to its end.
#pragma once

#include "core/trace/trace_file.h"
#include "ui/shell/window/main_window.h"

#include <QTest>

#include <gtest/gtest.h>

namespace lockscope::ui {

inline void openSaved(MainWindow& window, const QString& path, const trace::TraceStore& store)
{
    EXPECT_TRUE(trace::saveTrace(path.toStdString(), store, store.count()).has_value());
    window.control().openPath(path);
    EXPECT_TRUE(
        QTest::qWaitFor([&window] { return window.model().hasRun() && !window.model().opening(); }, 20'000));
}

} // namespace lockscope::ui
