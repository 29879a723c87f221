// Clients that a trace does not name: the same number in every view.
#include "tests/ui/shell/recorded_window_fixture.h"
#include "tests/ui/translation/shown_texts.h"
#include "ui/models/rows/log_model.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/tables/clients_view.h"

#include <QRegularExpression>

#include <algorithm>
#include <set>

namespace lockscope::ui {
namespace {

struct UnnamedClientsTest : MainWindowTest
{
    UnnamedClientsTest()
    {
        QFile file(saved("named.jsonl"));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        QStringList lines = QString::fromUtf8(file.readAll()).split('\n');
        static const QRegularExpression name(R"(,"name":"[^"]*")");
        for (QString& line : lines)
            if (line.contains(R"("e":"client_added")"))
                line.remove(name);
        open(written("nameless.jsonl", lines.join('\n').toUtf8()));
        window->model().seekEvent(window->model().store()->count() / 2);
    }
    // Those that a card shows, by their numbers.
    std::set<int> numbersIn(const char* view)
    {
        DockCard* card = window->docks().card(view);
        card->show();
        card->raise();
        QTest::qWait(0);
        static const QRegularExpression number(R"(\bclient (\d+)\b)");
        std::set<int> numbers;
        QString words;
        for (const QString& text : test::allTexts(*card))
            words += text + '\n';
        for (auto each = number.globalMatch(words); each.hasNext();)
            numbers.insert(each.next().captured(1).toInt());
        return numbers;
    }
};

TEST_F(UnnamedClientsTest, AreCalledSoWhereverTheyAreDrawn)
{
    const std::set<int> all{1, 2, 3, 4, 5};
    for (const char* view : {"clients", "timeline", "log"})
        EXPECT_EQ(numbersIn(view), all) << view;
    for (const char* view : {"chain", "protocol"})
        EXPECT_GE(numbersIn(view).size(), 3U) << view;
    for (const char* view :
         {"chain", "lock-children", "algorithm", "inspector", "findings", "watches", "protocol", "charts"}) {
        const std::set<int> numbers = numbersIn(view);
        EXPECT_TRUE(std::includes(all.begin(), all.end(), numbers.begin(), numbers.end())) << view;
    }
    auto* list = window->findChild<ClientsView*>();
    for (const replay::ClientRow& client : state().clients) {
        list->setCurrentIndex(list->model()->index(static_cast<int>(client.id.value), 0));
        EXPECT_EQ(numbersIn("algorithm").count(static_cast<int>(client.id.value) + 1), 1U) << client.id.value;
        EXPECT_EQ(numbersIn("inspector").count(static_cast<int>(client.id.value) + 1), 1U) << client.id.value;
    }
}

} // namespace
} // namespace lockscope::ui
