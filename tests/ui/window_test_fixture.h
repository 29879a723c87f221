// The base of the fixtures that show the program's window: what tests ask of it, and a folder for their
// files.
#pragma once

#include "tests/ui/shown_window.h"
#include "ui/shell/messages/message_bar.h"

#include <QAction>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <functional>
#include <memory>

namespace lockscope::ui {

inline constexpr int kTimeoutMs = 60'000;

struct WindowTest : testing::Test
{
    static bool waitFor(const std::function<bool()>& condition)
    {
        return QTest::qWaitFor(condition, kTimeoutMs);
    }
    bool waitForMessage(const QString& part)
    {
        return waitFor([&] { return messages().contains(part); });
    }
    bool waitForHandoffs(std::uint64_t more)
    {
        const auto goal = state().statistics.handoffs + more;
        return waitFor([&] { return state().statistics.handoffs >= goal; });
    }
    const replay::RunState& state() { return window->model().state(); }
    QAction* action(const QString& name) { return window->findChild<QAction*>(name); }
    QString messages() { return window->messages().shownTexts().join('\n'); }
    // Writes a file into the folder and returns its path.
    QString written(const char* name, const QByteArray& content)
    {
        QFile file(folder.filePath(name));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(content);
        return file.fileName();
    }

    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat}; // outlives the window
    std::unique_ptr<MainWindow> window;
};

} // namespace lockscope::ui
