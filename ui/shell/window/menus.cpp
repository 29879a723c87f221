#include "ui/shell/window/menus.h"

#include "ui/models/style/retranslate.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/run/fault_menu.h"
#include "ui/shell/window/actions.h"
#include "ui/shell/window/language_menu.h"

#include <QMenuBar>

namespace lockscope::ui {

namespace {

constexpr int kMaxDigits = 10;

QMenu* addMenu(QMenuBar* bar, const char* title)
{
    QMenu* menu = bar->addMenu(QString());
    onRetranslate(menu, [menu, title] { menu->setTitle(MenuTexts::tr(title)); });
    return menu;
}

// Alt+1 to Alt+9 and Alt+0 show and hide the cards, and bring a card behind a tab to the front.
void addShowActions(QMenu* menu, const DockArea& docks, QWidget* window)
{
    int digit = 1;
    for (DockCard* card : docks.cards()) {
        QAction* toggle = card->showAction();
        if (digit <= kMaxDigits) {
            toggle->setShortcut(QKeySequence(static_cast<int>(Qt::ALT) | (Qt::Key_0 + digit++ % 10)));
        }
        const auto showTexts = [card, toggle] {
            setExplanation(*toggle,
                           MenuTexts::tr("Shows or hides the card \"%1\".").arg(card->windowTitle()));
        };
        showTexts();
        QObject::connect(card, &QWidget::windowTitleChanged, toggle, showTexts,
                         Qt::QueuedConnection); // the action takes the new title first
        menu->addAction(toggle);
        window->addAction(toggle); // the shortcut works without the menu bar too
    }
}

// Ctrl+1 to Ctrl+9 go to the cards.
void addGoToActions(QMenu* view, DockArea& docks, QWidget* window)
{
    QMenu* menu = view->addMenu(QString());
    onRetranslate(menu, [menu] { menu->setTitle(MenuTexts::tr("G&o to Card")); });
    menu->setToolTipsVisible(true);
    int digit = 1;
    for (DockCard* card : docks.cards()) {
        QAction* way = menu->addAction(QString());
        way->setObjectName(QStringLiteral("goTo.") + card->name());
        if (digit < kMaxDigits) {
            way->setShortcut(QKeySequence(static_cast<int>(Qt::CTRL) | (Qt::Key_0 + digit++)));
        }
        const auto showTexts = [card, way] {
            way->setText(card->windowTitle());
            setExplanation(*way, MenuTexts::tr("Raises the card and gives it the keyboard focus."));
        };
        showTexts();
        QObject::connect(card, &QWidget::windowTitleChanged, way, showTexts);
        QObject::connect(way, &QAction::triggered, &docks, [&docks, card] { docks.focusCard(card); });
        window->addAction(way);
    }
}

} // namespace

void fillMenuBar(QMenuBar* bar, const Actions& actions, FaultMenu* faults, DockArea& docks,
                 LanguageMenu* language)
{
    const auto add = [&actions](QMenu* menu, std::initializer_list<const char*> names) {
        for (const char* name : names)
            *name ? menu->addAction(actions.of(name)) : static_cast<void>(menu->addSeparator());
    };
    QMenu* file = addMenu(bar, QT_TRANSLATE_NOOP("Menus", "&File"));
    add(file, {"open", "openSeveral", "openHistory", "reload", "newWindow", "", "saveTrace", "savePicture",
               "print", "", "compareWith", "compareTwo", "", "asksToSave", "preferences", "quit"});

    QMenu* scenario = addMenu(bar, QT_TRANSLATE_NOOP("Menus", "S&cenario"));
    add(scenario, {"play", "newScenario", "editScenario", "", "attach", "judge", "", "welcome", "closeRun"});

    QMenu* run = addMenu(bar, QT_TRANSLATE_NOOP("Menus", "&Run"));
    add(run, {"runOrPause", "runAgain", "", "slower", "faster", "", "follow", "playBack", "stepBack",
              "stepForward", "clientBack", "clientForward", "toStart", "showViolation", "", "addBookmark",
              "bookmarks", "previousBookmark", "nextBookmark"});

    bar->addMenu(faults);

    QMenu* view = addMenu(bar, QT_TRANSLATE_NOOP("Menus", "&View"));
    addShowActions(view, docks, bar->window());
    addGoToActions(view, docks, bar->window());
    add(view, {"inspect", "back", "forward", "", "themeSystem", "themeLight", "themeDark"});
    if (language) {
        view->addMenu(language);
    }
    view->addSeparator();
    add(view, {"wallClock", "", "layoutLearn", "layoutEverything", "presentation", "nextLayout", "",
               "maximize", "showMenuBar", "resetLayout"});

    add(addMenu(bar, QT_TRANSLATE_NOOP("Menus", "&Help")), {"manual", "commands", "messages", "about"});
    for (QAction* menu : bar->actions()) {
        menu->menu()->setToolTipsVisible(true);
    }
}

} // namespace lockscope::ui
