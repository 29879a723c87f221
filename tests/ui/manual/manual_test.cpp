// The manual in the window: every link is followed, every card has its page, and terms explain themselves on
// hover.
#include "ui/manual/manual_dock.h"

#include "core/trace/finding_rules.h"
#include "tests/ui/window_test_fixture.h"
#include "ui/chain/chain_view.h"
#include "ui/lesson/lesson_text.h"
#include "ui/manual/term_tips.h"
#include "ui/shell/dialogs/attach_dialog.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/lesson/lesson_controller.h"
#include "ui/shell/window/language.h"
#include "ui/texts/terms.h"

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTableView>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolTip>

namespace lockscope::ui {
namespace {

QStringList linksOf(const QString& markdown)
{
    static const QRegularExpression kLink("\\]\\(([^)]+)\\)");
    QStringList links;
    for (auto match = kLink.globalMatch(markdown); match.hasNext();)
        links << match.next().captured(1);
    links.sort();
    return links;
}

TEST(ManualPages, SayTheSameInBothLanguages)
{
    for (const QString& page : ManualDock::pageNames()) {
        const QString english = ManualDock::markdown(page, false), chinese = ManualDock::markdown(page, true);
        ASSERT_FALSE(chinese.isEmpty()) << page.toStdString();
        EXPECT_TRUE(chinese.contains(QRegularExpression("\\p{Han}"))) << page.toStdString();
        EXPECT_EQ(ManualDock::sections(english).size(), ManualDock::sections(chinese).size())
            << page.toStdString();
        EXPECT_EQ(linksOf(english), linksOf(chinese)) << page.toStdString();
        EXPECT_EQ(english.count("\n|"), chinese.count("\n|")) << page.toStdString() << ": rows of tables";
    }
}

TEST(ManualPages, AreAllReachedFromTheContents)
{
    QStringList reached{"index"};
    for (int i = 0; i < reached.size(); ++i)
        for (const QString& link : linksOf(ManualDock::markdown(reached[i], false)))
            if (const QString page = link.section(".md", 0, 0);
                link.contains(".md") && !reached.contains(page))
                reached << page;
    reached.sort();
    EXPECT_EQ(reached, ManualDock::pageNames());
}

TEST(ManualPages, ListEveryFindingWithItsNameInFiles)
{
    for (const trace::FindingRule& rule : trace::findingRules()) {
        const QString name = QStringLiteral(" | `%1` | ").arg(rule.word.english().c_str());
        EXPECT_TRUE(ManualDock::markdown("findings", false)
                        .contains("\n| " + QString::fromStdString(rule.title.english()) + name))
            << name.toStdString();
        EXPECT_TRUE(ManualDock::markdown("findings", true).contains(name)) << name.toStdString();
    }
}

TEST(ManualPages, ExplainEveryTerm)
{
    const QStringList sections = ManualDock::sections(ManualDock::markdown("terms", false));
    for (const Term& term : terms()) {
        EXPECT_TRUE(sections.contains(QLatin1String(term.name))) << term.name;
        const auto mentions = mentionsOfTerms(term.explanation());
        EXPECT_TRUE(std::any_of(mentions.begin(), mentions.end(),
                                [&](const TermMention& one) { return one.term == &term; }))
            << term.name << ": its own explanation names it";
    }
    for (const char* word : {"session", "ephemeral", "sequential", "watch", "czxid", "fence", "herd", "lease",
                             "会话", "临时", "顺序节点", "监视", "防护令牌", "羊群", "租约"})
        EXPECT_EQ(mentionsOfTerms(QString::fromUtf8(word)).size(), 1U) << word;
    EXPECT_TRUE(mentionsOfTerms("the protected thing; obsession").empty());
    EXPECT_TRUE(mentionsOfTerms(QString::fromUtf8("栅栏")).empty()) << "ZooKeeper's barrier is another thing";
}

TEST(LessonText, LinksTheFirstMentionOfATermAndEscapesTheRest)
{
    const QString html = richText({"A *herd* of <b>, & a herd", ""});
    EXPECT_TRUE(html.contains("<b><a href=\"term:herd\">herd</a></b> of &lt;b&gt;, &amp; a herd"))
        << html.toStdString();
}

struct ManualTest : WindowTest
{
    ManualTest() { show(); }
    void show(Language* language = nullptr)
    {
        window.reset();
        MainWindow::Setup setup;
        setup.settings = &settings;
        setup.language = language;
        window = shownWindow(setup);
        window->activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
    }
    ManualDock& manual() { return window->manual(); }
    void follow(const QString& link) { emit manual().browser()->anchorClicked(QUrl(link)); }
    // Of what is written at a place of the widget.
    QString hover(QWidget& widget, QPoint at)
    {
        QToolTip::hideText();
        QHelpEvent event(QEvent::ToolTip, at, widget.mapToGlobal(at));
        QApplication::sendEvent(&widget, &event);
        return QToolTip::text();
    }
};

TEST_F(ManualTest, F1OpensThePageOfEveryCard)
{
    Language language(QStringLiteral("en"));
    show(&language);
    for (const char* shown : {"zh_CN", "en"}) {
        language.use(QString::fromLatin1(shown));
        for (DockCard* card : window->docks().cards()) {
            window->docks().focusCard(card);
            ASSERT_TRUE(card->isAncestorOf(window->focusWidget())) << card->name().toStdString();
            QTest::keyClick(window.get(), Qt::Key_F1);
            EXPECT_TRUE(manual().isVisible());
            EXPECT_EQ(manual().page(), card->name());
            const QString text = manual().browser()->toPlainText();
            EXPECT_FALSE(text.isEmpty());
            EXPECT_EQ(text.contains(QRegularExpression("\\p{sc:Han}")), language.code() == "zh_CN")
                << card->name().toStdString();
        }
    }
    QTest::keyClick(manual().browser(), Qt::Key_Escape);
    EXPECT_TRUE(manual().isHidden());
    window->showWelcome(true);
    QTest::keyClick(window.get(), Qt::Key_F1);
    EXPECT_EQ(manual().page(), "index");
}

TEST_F(ManualTest, ACopiedCommandIsAsItIsTyped)
{
    manual().open(QStringLiteral("watching"));
    manual().browser()->selectAll();
    manual().browser()->copy();
    const QString copied = QApplication::clipboard()->text();
    EXPECT_TRUE(copied.contains(QStringLiteral("lockscope-cli who /locks/orders --connect zk1:2181")));
    EXPECT_FALSE(copied.contains(QChar(0x2060)));
}

// A different one each: the pages share most of them.
TEST_F(ManualTest, EveryLinkLeadsSomewhere)
{
    QStringList all;
    for (const QString& page : ManualDock::pageNames())
        all << linksOf(ManualDock::markdown(page, false));
    all.removeDuplicates();
    int starts = 0;
    for (const QString& link : all) {
        const QString name = link.section(u':', 1);
        if (link.startsWith("scenario:")) {
            follow(link);
            EXPECT_EQ(window->control().scenarioName(), name);
            ++starts;
        } else if (link.startsWith("lesson:")) {
            follow(link);
            ASSERT_TRUE(window->lessons().isOpen()) << link.toStdString();
            EXPECT_EQ(QString::fromStdString(window->lessons().player()->lesson().name), name);
            window->lessons().leave();
            ++starts;
        } else if (link.startsWith("command:")) {
            QSignalSpy triggered(action(name), &QAction::triggered);
            follow(link);
            EXPECT_EQ(triggered.count(), 1) << link.toStdString();
            for (QDialog* dialog : window->findChildren<QDialog*>())
                dialog->reject();
        } else {
            const QString page = link.section(".md", 0, 0), section = link.section(u'#', 1);
            follow(link);
            EXPECT_EQ(manual().page(), section.isEmpty() ? page : page + u'#' + section);
            EXPECT_TRUE(ManualDock::pageNames().contains(page)) << link.toStdString();
            EXPECT_TRUE(section.isEmpty() ||
                        ManualDock::sections(ManualDock::markdown(page, false)).contains(section))
                << link.toStdString();
        }
    }
    EXPECT_GT(starts, 40);
    window->model().endRun();
}

TEST_F(ManualTest, ALinkIsClickedWithTheMouse)
{
    manual().open("clients");
    QTextBrowser& browser = *manual().browser();
    const auto placeOf = [&](const QString& text) {
        const QTextCursor found = browser.document()->find(text);
        EXPECT_FALSE(found.isNull());
        QTextCursor inside(browser.document());
        inside.setPosition(found.selectionStart() + 2);
        browser.setTextCursor(inside);
        browser.ensureCursorVisible();
        return browser.cursorRect(inside).center();
    };
    QTest::mouseClick(browser.viewport(), Qt::LeftButton, {}, placeOf("Kill the holder"));
    EXPECT_EQ(window->control().scenarioName(), "kill-holder");
    QTest::mouseClick(browser.viewport(), Qt::LeftButton, {}, placeOf("faults"));
    EXPECT_EQ(manual().page(), "faults");
    QTest::mouseClick(manual().findChild<QPushButton*>("manualBack"), Qt::LeftButton);
    EXPECT_EQ(manual().page(), "clients");
    QTest::mouseClick(manual().findChild<QPushButton*>("manualContents"), Qt::LeftButton);
    EXPECT_EQ(manual().page(), "index");
    window->model().endRun();
}

TEST_F(ManualTest, ASectionComesToTheTopInBothLanguages)
{
    Language language(QStringLiteral("en"));
    show(&language);
    const auto topmost = [this] {
        const QTextBrowser& browser = *manual().browser();
        return browser.cursorForPosition(QPoint(2, 8)).block().text();
    };
    manual().open("terms#watch");
    EXPECT_TRUE(waitFor([&] { return topmost() == "Watch"; })) << topmost().toStdString();
    language.use(QStringLiteral("zh_CN"));
    EXPECT_TRUE(waitFor([&] { return topmost() == QStringLiteral("监视"); })) << topmost().toStdString();
    EXPECT_FALSE(manual().browser()->toPlainText().contains(QRegularExpression("\\p{Han} \\p{Han}")))
        << "a line break of the file is no blank";
    language.use(QStringLiteral("en"));
}

TEST_F(ManualTest, TermsOnScreenExplainThemselves)
{
    QTableView table(window.get());
    QStandardItemModel nodes(1, 1);
    nodes.setHorizontalHeaderLabels({"czxid"});
    nodes.setItem(0, 0, new QStandardItem("an ephemeral node"));
    table.setModel(&nodes);
    table.resize(400, 100);
    table.show();
    const auto explains = [](const QString& tip, const char* term) {
        return tip.contains(findTerm(term)->explanation().toHtmlEscaped());
    };
    EXPECT_TRUE(explains(hover(*table.horizontalHeader()->viewport(), {6, 6}), "zxid"));
    EXPECT_TRUE(
        explains(hover(*table.viewport(), table.visualRect(nodes.index(0, 0)).center()), "ephemeral"));
    QLabel label("a herd, a lease and a fence", window.get());
    label.setToolTip("its own tip");
    label.show();
    const QString tip = hover(label, label.rect().center());
    for (const char* term : {"herd", "lease", "fence"})
        EXPECT_TRUE(explains(tip, term)) << tip.toStdString();
    EXPECT_TRUE(tip.startsWith("<span>its own tip"));
    // A link shows its explanation itself; the help event that follows does not take it away.
    QLabel links("a <a href=\"term:watch\">watch</a>", window.get());
    links.show();
    QToolTip::showText(links.mapToGlobal(QPoint(1, 1)), "the explanation", &links);
    hover(links, links.rect().center());
    EXPECT_TRUE(QToolTip::isVisible() && QToolTip::text() == "the explanation");
    QToolTip::hideText();
    QLabel other("nothing of them", window.get());
    other.show();
    hover(other, other.rect().center());
    EXPECT_FALSE(QToolTip::isVisible() && QToolTip::text().contains("herd"));
    QToolTip::hideText();
}

// Where they stand in the picture, in the few cards of a lesson.
TEST_F(ManualTest, TermsInTheChainExplainThemselves)
{
    window->lessons().open("opening");
    auto& chain = *window->findChild<ChainView*>();
    ASSERT_TRUE(waitFor([&] {
        return window->lessons().player()->record().stage == lesson::Stage::reading &&
               chain.scene().arrows.size() == 2;
    }));
    const auto explains = [](const QString& tip, const char* term) {
        return tip.contains(findTerm(term)->explanation().toHtmlEscaped());
    };
    const QString arrow = hover(chain, chain.scene().arrows.front().labelAt.toPoint());
    EXPECT_TRUE(explains(arrow, "watch")) << arrow.toStdString();
    const QString holder = hover(chain, chain.scene().nodes.front().rect.center().toPoint());
    EXPECT_TRUE(explains(holder, "session")) << holder.toStdString();
    EXPECT_TRUE(explains(holder, "fence")) << holder.toStdString();
    QToolTip::hideText();
    window->model().endRun();
}

} // namespace
} // namespace lockscope::ui
