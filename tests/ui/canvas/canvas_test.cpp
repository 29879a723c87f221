// The drawing kit: steps and arrows, and what a screen reader finds in the pictures.
#include "tests/support/sample_run.h"
#include "ui/canvas/arrows.h"
#include "ui/canvas/ticks.h"
#include "ui/chain/chain_view.h"
#include "ui/tables/queue_view.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"

#include <QAccessible>
#include <QImage>
#include <QTest>

#include <gtest/gtest.h>

#include <iostream>
#include <set>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

// Prints what a screen reader finds, the first lines of it.
void print(QAccessibleInterface* tree, const char* title)
{
    constexpr int kLines = 12;
    std::cout << title << ": " << tree->childCount() << " children\n";
    int lines = 0;
    for (int i = 0; i < tree->childCount() && lines < kLines; ++i)
        if (QAccessibleInterface* child = tree->child(i);
            child && !child->text(QAccessible::Name).isEmpty()) {
            std::cout << "  " << child->text(QAccessible::Name).toStdString() << '\n';
            ++lines;
        }
}

class ScreenReaderTest : public testing::TestWithParam<std::uint32_t>
{
protected:
    void SetUp() override
    {
        tests::SampleOptions options;
        options.clients = GetParam();
        options.cycles = 3;
        options.events = GetParam() * 30;
        run.openTrace(tests::sampleRun(options));
        ASSERT_TRUE(QTest::qWaitFor([this] { return !run.opening(); }, 20'000)); // folded in worker threads
        chain.resize(900, 500);
        chain.show();
        view.resize(900, 400);
        view.show();
        queue.resize(500, 300);
        queue.show();
        const std::size_t step = run.store()->count() / 50 + 1;
        for (std::size_t at = step; at < run.store()->count(); at += step) {
            run.seekEvent(at);
            if (lock() && lock()->queue.size() >= GetParam() / 2)
                break;
        }
        ASSERT_NE(lock(), nullptr);
        ASSERT_GE(lock()->queue.size(), GetParam() / 2);
    }
    const replay::LockRow* lock() { return run.state().lock(LockId{0}); }
    static std::vector<QAccessibleInterface*> items(QWidget& canvas)
    {
        QAccessibleInterface* tree = QAccessible::queryAccessibleInterface(&canvas);
        std::vector<QAccessibleInterface*> found;
        for (int i = 0; i < tree->childCount(); ++i)
            if (QAccessibleInterface* child = tree->child(i); child && !child->object())
                found.push_back(child);
        return found;
    }
    QString nameOf(ClientId client)
    {
        const trace::Text text = run.state().client(client)->name;
        return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    }
    static QString name(QAccessibleInterface* item) { return item->text(QAccessible::Name); }

    RunModel run;
    Selection selection;
    TimeWindow window;
    Bookmarks notes;
    Theme theme{Theme::ColourScheme::light};
    ChainView chain{&run, &selection, &theme};
    TimelineView view{{&run, &selection, &window, &notes, &theme}};
    QueueView queue{&run, &selection, &theme};
};

TEST_P(ScreenReaderTest, WalksTheChainNodeByNode)
{
    print(QAccessible::queryAccessibleInterface(&chain), "chain");
    const auto all = items(chain);
    ASSERT_GE(all.size(), lock()->queue.size());
    for (std::size_t i = 0; i < lock()->queue.size(); ++i) {
        const replay::NodeRow& node = lock()->queue[i];
        const auto nodeText = QString::fromUtf8(node.name.data(), static_cast<qsizetype>(node.name.size()));
        const auto found = std::find_if(all.begin(), all.end(), [&](QAccessibleInterface* item) {
            return item->role() == QAccessible::ListItem && name(item).contains(nodeText);
        });
        ASSERT_NE(found, all.end()) << nodeText.toStdString();
        EXPECT_FALSE((*found)->text(QAccessible::Description).isEmpty());
        EXPECT_FALSE((*found)->rect().isEmpty());
    }
    for (QAccessibleInterface* item : all) {
        EXPECT_TRUE(item->isValid());
        EXPECT_EQ(item->parent()->object(), &chain);
        EXPECT_EQ(item->parent()->child(item->parent()->indexOfChild(item)), item);
    }
}

TEST_P(ScreenReaderTest, ChoosesANodeAndSeesItSelected)
{
    const auto all = items(chain);
    ASSERT_GE(all.size(), 2U);
    const QString second = name(all[1]);
    QAccessibleActionInterface* action = all[1]->actionInterface();
    ASSERT_NE(action, nullptr);
    action->doAction(QAccessibleActionInterface::pressAction());
    EXPECT_EQ(selection.client(), lock()->queue[1].owner);
    const auto now = items(chain);
    EXPECT_EQ(name(now[1]), second);
    EXPECT_TRUE(now[1]->state().selected);
    EXPECT_FALSE(now[0]->state().selected);
}

TEST_P(ScreenReaderTest, FindsTheNodeUnderAPoint)
{
    const auto all = items(chain);
    QAccessibleInterface* tree = QAccessible::queryAccessibleInterface(&chain);
    const QPoint middle = all.front()->rect().center();
    QAccessibleInterface* hit = tree->childAt(middle.x(), middle.y());
    ASSERT_NE(hit, nullptr);
    EXPECT_TRUE(hit->rect().contains(middle));
    EXPECT_EQ(tree->childAt(-100'000, 0), nullptr);
}

TEST_P(ScreenReaderTest, ItemsOfAFormerPictureAreInvalid)
{
    auto all = items(chain);
    QAccessibleInterface* last = all.back();
    run.seekEvent(0);
    EXPECT_LT(items(chain).size(), all.size());
    EXPECT_FALSE(last->isValid());
    EXPECT_TRUE(name(last).isEmpty());
    EXPECT_TRUE(last->state().invalid);
}

TEST_P(ScreenReaderTest, WalksTheTimelineLaneByLane)
{
    TimelineCanvas& canvas = *view.canvas();
    print(QAccessible::queryAccessibleInterface(&canvas), "timeline");
    std::set<QString> names;
    for (QAccessibleInterface* item : items(canvas))
        names.insert(name(item));
    const TimelinePicture& picture = canvas.picture();
    ASSERT_FALSE(picture.labels.empty());
    ASSERT_FALSE(picture.bars.empty());
    for (const TimelineLaneLabel& label : picture.labels) {
        if (label.lane.valid()) {
            EXPECT_TRUE(names.contains(nameOf(label.lane)));
        }
    }
    // A bar's action selects its client and its event.
    const auto all = items(canvas);
    for (QAccessibleInterface* item : all) {
        EXPECT_FALSE(name(item).isEmpty());
        EXPECT_EQ(item->parent()->object(), &canvas);
    }
    const auto bar = std::find_if(all.begin(), all.end(), [](QAccessibleInterface* item) {
        return item->role() == QAccessible::ListItem && name(item).contains(u':');
    });
    ASSERT_NE(bar, all.end());
    (*bar)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    EXPECT_TRUE(selection.client().valid());
    EXPECT_TRUE(selection.selectedEvent().valid());
}

TEST_P(ScreenReaderTest, WalksTheQueueRowByRow)
{
    QAccessibleInterface* tree = QAccessible::queryAccessibleInterface(&queue);
    print(tree, "queue");
    QAccessibleTableInterface* table = tree->tableInterface();
    ASSERT_NE(table, nullptr);
    ASSERT_EQ(table->rowCount(), static_cast<int>(lock()->queue.size()));
    for (int row = 0; row < table->rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < table->columnCount(); ++column)
            cells << table->cellAt(row, column)->text(QAccessible::Name);
        const replay::NodeRow& node = lock()->queue[static_cast<std::size_t>(row)];
        const auto number = QString::fromStdString(std::string(node.name.substr(node.name.size() - 4)));
        EXPECT_TRUE(cells.join(u' ').contains(number)) << cells.join(u' ').toStdString();
        if (node.owner.valid()) { // the reply that names the owner may not have arrived yet
            EXPECT_TRUE(cells.join(u' ').contains(nameOf(node.owner))) << cells.join(u' ').toStdString();
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Clients, ScreenReaderTest, testing::Values(5, 1000));

} // namespace
} // namespace lockscope::ui
