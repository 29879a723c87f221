// The language changed while something is shown: nothing on the screen stays behind in the old one, whatever
// made it, neither in widgets, commands and tables nor in what is painted.
#include "tests/support/sample_run.h"
#include "tests/ui/translation/language_window_fixture.h"
#include "tests/ui/translation/shown_texts.h"
#include "tests/ui/translation/translation_entries.h"
#include "ui/editor/scenario_editor.h"
#include "ui/editor/scenario_form.h"
#include "ui/models/run/run_model.h"
#include "ui/models/style/format.h"
#include "ui/shell/compare/compare_window.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/export/export_controller.h"
#include "ui/shell/messages/message_bar.h"
#include "ui/shell/window/actions.h"
#include "ui/shell/window/language.h"
#include "ui/shell/window/scenario_controller.h"
#include "ui/tables/log_view.h"
#include "ui/timeline/timeline_search_bar.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/log_filter_edit.h"
#include "ui/widgets/overlay.h"

#include <QApplication>
#include <QDialog>
#include <QFile>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

namespace lockscope::ui {
namespace {

using test::allTexts;
using test::EnglishWords;
using test::hasChinese;
using test::Texts;

struct LanguageSwitchTest : LanguageWindowTest
{
    LanguageSwitchTest()
        : LanguageWindowTest("en", {.killHolderAtGrant = 7})
    {}

    template <class View>
    View* view(const char* card)
    {
        window->docks().card(card)->show();
        window->docks().card(card)->raise();
        drainEvents();
        return window->docks().card(card)->findChild<View*>();
    }

    void expectMessage()
    {
        EXPECT_TRUE(waitFor([this] { return !messages().isEmpty(); }));
        drainEvents();
    }

    // Does it in either language and changes to the other one.
    void check(const std::function<void()>& operation, QWidget* shown = nullptr)
    {
        QWidget& read = shown ? *shown : *window;
        setLanguage("en");
        window->messages().clear();
        operation();
        drainEvents();
        setLanguage("zh_CN");
        const Texts chinese = allTexts(read);
        for (auto each = chinese.begin(); each != chinese.end(); ++each) {
            const QString text = format::withoutMnemonic(each.value());
            EXPECT_FALSE(english.has(text)) << each.key().toStdString() << ": " << text.toStdString();
        }
        window->messages().clear();
        operation();
        drainEvents();
        setLanguage("en");
        const Texts again = allTexts(read);
        for (auto each = again.begin(); each != again.end(); ++each) {
            const bool ownName = each.value().contains(QStringLiteral("简体中文"));
            EXPECT_TRUE(ownName || !hasChinese(each.value()))
                << each.key().toStdString() << ": " << each.value().toStdString();
        }
    }

    EnglishWords english;
};

TEST_F(LanguageSwitchTest, EnglishIsFoundWhereItIs)
{
    EXPECT_TRUE(english.has("Saved 12 events to run.jsonl."));
    EXPECT_TRUE(english.has("Protocol log"));
    EXPECT_FALSE(english.has("LockScope"));
    EXPECT_FALSE(english.has(QStringLiteral("协议日志")));
}

TEST_F(LanguageSwitchTest, EveryCardWithARunAndAClientSelected)
{
    for (DockCard* card : window->docks().cards()) {
        const testing::ScopedTrace scope(__FILE__, __LINE__, card->name().toStdString());
        check([&] {
            window->model().seekEvent(200);
            window->selectClientForPicture();
            card->show();
            card->raise();
        });
    }
}

TEST_F(LanguageSwitchTest, WhatWasDoneAndWhatWentWrong)
{
    const std::pair<const char*, std::function<void()>> operations[] = {
        {"saved", [this] { window->control().saveTrace(folder.filePath("copy.jsonl")); }},
        {"not saved", [this] { window->control().saveTrace("/nowhere/copy.jsonl"); }},
        {"exported",
         [this] { window->exportController().exportTo(exports::Kind::handoffs, folder.filePath("h.csv")); }},
        {"a picture",
         [this] { window->exportController().savePictureOf("log", folder.filePath("log.png")); }},
        {"no picture", [this] { window->exportController().savePictureOf("log", "/nowhere/log.png"); }},
        {"neither", [this] { window->control().openPath("/nowhere/picture.txt"); }},
        {"no file", [this] { window->control().openPath("/nowhere/run.jsonl"); }},
        {"no event", [this] { window->control().stepSelected(true); }},
        {"refused", [this] { window->control().injectFault(Fault::killHolder); }},
        {"about", [this] { window->findChild<Actions*>()->of("about")->trigger(); }}};
    std::vector<std::pair<const char*, UserMessage>> said;
    for (const auto& [name, operation] : operations) {
        window->messages().clear();
        operation();
        expectMessage();
        ASSERT_FALSE(window->messages().entries().isEmpty()) << name;
        said.emplace_back(name, window->messages().entries().front().message);
    }
    setLanguage("zh_CN");
    for (const auto& [name, message] : said)
        EXPECT_FALSE(english.has(message.text())) << name << ": " << message.text().toStdString();
    setLanguage("en");
    for (const auto& [name, message] : said)
        EXPECT_FALSE(hasChinese(message.text())) << name << ": " << message.text().toStdString();
    check([&] { // in its place in the window
        operations[0].second();
        expectMessage();
    });
}

TEST_F(LanguageSwitchTest, AProgressThatGoesOn)
{
    check([this] {
        const TraceTime end = window->model().endTime();
        window->exportController().makeFrames({.widget = window.get(),
                                               .begin = end,
                                               .end = end + std::chrono::hours(1),
                                               .folder = folder.filePath("pictures")});
        expectMessage();
    });
}

TEST_F(LanguageSwitchTest, SearchesAndFiltersThatFindSomethingNothingOrAreWrong)
{
    auto* timeline = view<TimelineView>("timeline");
    auto* log = view<LogView>("log");
    for (const char* text : {"op:acquired", "nobodysaysthis", "kind:nonsense"}) {
        const testing::ScopedTrace scope(__FILE__, __LINE__, text);
        check([&] {
            log->openFilter();
            log->setFilterText(text);
            timeline->searchBar()->open();
            timeline->searchBar()->edit()->setText(text);
            EXPECT_TRUE(QTest::qWaitFor([&] { return !timeline->search()->searching(); }));
            timeline->searchBar()->next();
        });
    }
}

TEST_F(LanguageSwitchTest, BookmarksOfAnotherRun)
{
    QFile notes(trace + ".notes");
    ASSERT_TRUE(notes.open(QIODevice::WriteOnly));
    notes.write("nonsense");
    notes.close();
    check([this] {
        view<TimelineView>("timeline")->showBookmarks(true);
        window->control().openPath(trace);
        expectMessage();
        EXPECT_TRUE(QTest::qWaitFor([this] { return !window->model().opening(); }, 20'000));
    });
}

TEST_F(LanguageSwitchTest, TheWelcomePageAndASearchThatFindsNothing)
{
    check([this] {
        window->findChild<Actions*>()->of("welcome")->setChecked(false);
        window->findChild<Actions*>()->of("welcome")->trigger();
        auto* search = window->findChild<QLineEdit*>("scenarioSearch");
        search->setText(search->text().isEmpty() ? "nobodysaysthis" : "");
    });
}

TEST_F(LanguageSwitchTest, LectureMode)
{
    check([this] { window->findChild<Actions*>()->of("presentation")->setChecked(true); });
}

TEST_F(LanguageSwitchTest, AScenarioThatIsEditedAndCannotBeSaved)
{
    ScenarioEditor editor(&window->theme(), window.get());
    editor.edit(ScenarioEditor::defaultScenario(), {});
    editor.form().findChild<QWidget*>("field.title")->findChild<QLineEdit*>()->setText("Typed");
    editor.show();
    check([&] { EXPECT_FALSE(editor.saveTo("/nowhere/made-up.toml")); }, &editor);
    check([&] { EXPECT_TRUE(editor.saveTo(folder.filePath("made-up.toml"))); }, &editor);
}

// The editor and a comparison stay open while the language changes, see around here. No other dialog can: it
// is modal, or goes with the first click beside it.
TEST_F(LanguageSwitchTest, EveryOtherDialogIsGoneBeforeTheLanguageCanBeChosen)
{
    const Actions& actions = *window->findChild<Actions*>();
    for (const char* name :
         {"open", "saveTrace", "savePicture", "attach", "compareWith", "compareTwo", "commands"}) {
        actions.of(name)->trigger();
        int seen = 0;
        for (QWidget* each : QApplication::topLevelWidgets()) {
            const auto* dialog = qobject_cast<QDialog*>(each);
            if (!dialog || !dialog->isVisible())
                continue;
            ++seen;
            EXPECT_TRUE(dialog->isModal() || dialog->windowType() == Qt::Popup) << name;
            each->close();
        }
        for (Overlay* list : window->findChildren<Overlay*>()) { // the first click beside it closes it
            ++seen;
            list->close();
        }
        EXPECT_EQ(seen, 1) << name;
    }
}

TEST_F(LanguageSwitchTest, AComparison)
{
    const auto run = [this](const char* name) {
        const auto store = window->control().store();
        return std::make_shared<ComparedRun>([name] { return QString::fromUtf8(name); }, store,
                                             store->count());
    };
    CompareWindow compare(run("a"), run("b"), &window->theme(), window.get());
    compare.show();
    check([] {}, &compare);
}

} // namespace
} // namespace lockscope::ui
