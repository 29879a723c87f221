// The Inspector's place in the window: what is clicked in any view leads to it, and its links lead
// everywhere.
#include "tests/support/sample_run.h"
#include "tests/ui/shown_window.h"
#include "ui/commands/command_list.h"
#include "ui/inspector/inspector_model.h"
#include "ui/inspector/inspector_table.h"
#include "ui/inspector/inspector_view.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/window/main_window.h"
#include "ui/tables/log_table.h"
#include "ui/tables/log_view.h"
#include "ui/tables/queue_view.h"
#include "ui/timeline/timeline_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QTest>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

struct InspectorWindowTest : testing::Test
{
    InspectorWindowTest()
    {
        window = shownWindow();
        tests::SampleOptions longer;
        longer.hold = std::chrono::milliseconds(100); // than the timeline shows at once
        window->control().showTrace("run.jsonl", {tests::sampleRun(longer), {}});
    }
    InspectorView& inspector() { return *window->findChild<InspectorView*>(); }
    LogTable& log() { return *window->findChild<LogTable*>(); }
    QString value(const QString& id)
    {
        const auto& model = *window->findChild<InspectorModel*>();
        for (int row = 0; row < model.rowCount(); ++row)
            if (model.fact(row).id == id)
                return model.fact(row).value;
        return {};
    }
    std::unique_ptr<MainWindow> window;
};

TEST_F(InspectorWindowTest, ItsKeyBringsItUpWithWhatIsSelected)
{
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    window->model().seekEvent(200);
    window->selectClientForPicture();
    QTest::keyClick(window.get(), Qt::Key_I);
    ASSERT_TRUE(QTest::qWaitFor([this] { return inspector().isVisible(); }));
    EXPECT_TRUE(inspector().caption().startsWith("client") || inspector().caption().startsWith("lock node"))
        << inspector().caption().toStdString();
    EXPECT_TRUE(QTest::qWaitFor([this] { return window->findChild<InspectorTable*>()->hasFocus(); }));
}

TEST_F(InspectorWindowTest, ALineOfTheLogAndARowOfTheQueueLeadToIt)
{
    window->findChild<QAction*>("inspect")->trigger();
    log().setCurrentIndex(log().model()->index(log().model()->rowCount() - 3, 0));
    EXPECT_EQ(value("event.kind").isEmpty(), false);
    window->model().seekEvent(200);
    auto* queue = window->findChild<QueueView*>();
    ASSERT_GT(queue->model()->rowCount(), 0);
    queue->setCurrentIndex(queue->model()->index(0, 0));
    EXPECT_FALSE(value("node.name").isEmpty());
}

TEST_F(InspectorWindowTest, ItsCommandsAreAmongAllCommands)
{
    window->model().seekEvent(200);
    window->selectClientForPicture();
    int found = 0;
    for (const CommandEntry& entry : commandsOf(*window)) {
        if (!entry.action || !entry.action->objectName().startsWith("inspector."))
            continue;
        ++found;
        EXPECT_FALSE(entry.description.isEmpty());
        if (entry.action->objectName() == "inspector.copyJson") {
            ASSERT_TRUE(entry.enabled);
            entry.action->trigger();
            EXPECT_TRUE(QGuiApplication::clipboard()->text().startsWith(u'{'))
                << "although the card is not shown";
        }
    }
    EXPECT_EQ(found, 3);
}

} // namespace
} // namespace lockscope::ui
