// Clients that a trace does not name: the same number in every view.
#include "tests/ui/shell/recorded_window_fixture.h"
#include "tests/ui/translation/shown_texts.h"
#include "ui/chain/chain_view.h"
#include "ui/models/rows/clients_model.h"
#include "ui/models/rows/log_model.h"
#include "ui/models/rows/queue_model.h"
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
    static QString nameOf(ClientId client) { return QStringLiteral("client %1").arg(client.value + 1); }
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

TEST_F(UnnamedClientsTest, HaveOneNumberInEveryList)
{
    ASSERT_EQ(state().clients.size(), 5U);
    const auto& clients = *window->findChild<ClientsModel*>();
    ASSERT_EQ(clients.rowCount(), 5);
    for (const replay::ClientRow& client : state().clients)
        EXPECT_EQ(clients.name(clients.rowOf(client.id)), nameOf(client.id));

    const auto& queue = *window->findChild<QueueModel*>();
    ASSERT_GT(queue.rowCount(), 2);
    for (int row = 0; row < queue.rowCount(); ++row)
        EXPECT_EQ(queue.text(row, QueueModel::Owner), nameOf(queue.item(row).node.owner));

    auto& chain = *window->findChild<ChainView*>();
    ASSERT_GT(chain.scene().nodes.size(), 2U);
    for (const chain::ChainNode& card : chain.scene().nodes)
        EXPECT_EQ(card.ownerName, nameOf(card.owner));

    const auto& log = *window->findChild<LogModel*>();
    std::set<ClientId> named;
    for (int row = 0; row < log.rowCount(); ++row)
        if (const ClientId client = log.client(row); client.valid()) {
            const std::string who = log.index(row, LogModel::Who).data().toString().toStdString();
            if (who == "zk") // tells a client of its watch
                continue;
            named.insert(client);
            EXPECT_EQ(who, nameOf(client).toStdString()) << row;
        }
    EXPECT_EQ(named.size(), 5U);
}

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
