// A window at its welcome page, a server of others, and the dialog that asks where a lock is.
#pragma once

#include "core/server/probe/four_letter.h"
#include "core/server/process/managed_server.h"
#include "tests/ui/window_test_fixture.h"
#include "ui/shell/dialogs/attach_dialog.h"
#include "ui/shell/window/scenario_controller.h"
#include "ui/welcome/welcome_page.h"

#include <QAbstractButton>
#include <QAction>
#include <QLineEdit>
#include <QMessageBox>
#include <QTest>

#include <gtest/gtest.h>

namespace lockscope::ui {

struct AttachTest : WindowTest
{
    AttachTest()
    {
        MainWindow::Setup setup;
        setup.settings = &settings;
        window = shownWindow(setup);
        window->findChild<QAction*>("welcome")->setChecked(true);
        window->activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
    }
    static std::string freshServer(std::unique_ptr<server::ManagedServer>& kept)
    {
        auto started = server::ManagedServer::start({});
        EXPECT_TRUE(started) << (started ? "" : started.error().text());
        if (!started)
            return {};
        kept = std::move(*started);
        return kept->address();
    }
    AttachDialog* dialog() { return window->findChild<AttachDialog*>(); }
    WelcomePage* page() { return window->scenarioController().welcome(); }
    void type(const char* field, const QString& text)
    {
        auto* line = dialog()->findChild<QLineEdit*>(field);
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, text);
    }
    // The second time that it is asked; null when it is not.
    QMessageBox* question()
    {
        return dialog() ? dialog()->findChild<QMessageBox*>("attachQuestion") : nullptr;
    }
    void answer(QMessageBox::ButtonRole role)
    {
        for (QAbstractButton* button : question()->buttons())
            if (question()->buttonRole(button) == role)
                return QTest::keyClick(button, Qt::Key_Space);
        ADD_FAILURE() << "there is no such answer";
    }
};

inline std::int64_t zxidOf(const std::string& address)
{
    const auto status = server::sendFourLetterWord(address, "srvr", std::chrono::seconds(10));
    EXPECT_TRUE(status) << status.error().text();
    const std::size_t at = status ? status->find("Zxid: 0x") : std::string::npos;
    EXPECT_NE(at, std::string::npos);
    return at == std::string::npos ? 0 : std::stoll(status->substr(at + 8), nullptr, 16);
}

} // namespace lockscope::ui
