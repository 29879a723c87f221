// The window with a recorded run, for its tests.
#pragma once

#include "core/trace/trace_file.h"
#include "tests/support/sample_run.h"
#include "tests/ui/shown_window.h"
#include "ui/shell/window/main_window.h"
#include "ui/shell/messages/message_bar.h"

#include <QAction>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

namespace lockscope::ui {

struct MainWindowTest : testing::Test
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
        ASSERT_TRUE(QTest::qWaitFor([this] { return window->model().hasRun(); }, 20'000));
        ASSERT_TRUE(QTest::qWaitFor([this] { return !window->model().opening(); }, 20'000));
    }

    QString written(const char* name, const QByteArray& content)
    {
        QFile file(folder.filePath(name));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(content);
        return file.fileName();
    }

    bool waitForMessage(const QString& part)
    {
        return QTest::qWaitFor([&] { return window->messages().shownTexts().join('\n').contains(part); },
                               20'000);
    }

    QAction* action(const char* name) { return window->findChild<QAction*>(name); }

    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    std::unique_ptr<MainWindow> window;
};

} // namespace lockscope::ui
