#include "ui/shell/window/menus.h"

#include "ui/models/retranslate.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/run/fault_menu.h"
#include "ui/shell/window/language_menu.h"

#include <QCoreApplication>
#include <QMenuBar>

namespace lockscope::ui {

namespace {

struct MenuTexts // lives only to give the titles a translation context
{
    Q_DECLARE_TR_FUNCTIONS(Menus)
};

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
        const auto explain = [card, toggle] {
            const QString explanation =
                MenuTexts::tr("Shows or hides the card \"%1\".").arg(card->windowTitle());
            toggle->setStatusTip(explanation);
            toggle->setToolTip(toolTipOf(*toggle, explanation));
        };
        explain();
        QObject::connect(card, &QWidget::windowTitleChanged, toggle, explain,
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
        const auto explain = [card, way] {
            const QString explanation = MenuTexts::tr("Raises the card and gives it the keyboard focus.");
            way->setText(card->windowTitle());
            way->setStatusTip(explanation);
            way->setToolTip(toolTipOf(*way, explanation));
        };
        explain();
        QObject::connect(card, &QWidget::windowTitleChanged, way, explain);
        QObject::connect(way, &QAction::triggered, &docks, [&docks, card] { docks.focusCard(card); });
        window->addAction(way);
    }
}

} // namespace

void fillMenuBar(QMenuBar* bar, const Actions& actions, FaultMenu* faults, DockArea& docks,
                 LanguageMenu* language)
{
    QMenu* file = addMenu(bar, QT_TRANSLATE_NOOP("Menus", "&File"));
    file->addActions({actions.open, actions.openHistory, actions.saveTrace, actions.savePicture});
    file->addSeparator();
    file->addActions({actions.compareWith, actions.compareTwo});
    file->addSeparator();
    file->addActions({actions.asksToSave, actions.quit});

    QMenu* scenario = addMenu(bar, QT_TRANSLATE_NOOP("Menus", "S&cenario"));
    scenario->addActions({actions.play, actions.newScenario, actions.editScenario});
    scenario->addSeparator();
    scenario->addAction(actions.attach);
    scenario->addSeparator();
    scenario->addActions({actions.welcome, actions.closeRun});

    QMenu* run = addMenu(bar, QT_TRANSLATE_NOOP("Menus", "&Run"));
    run->addActions({actions.runOrPause, actions.runAgain});
    run->addSeparator();
    run->addActions({actions.slower, actions.faster});
    run->addSeparator();
    run->addActions({actions.follow, actions.playBack, actions.stepBack, actions.stepForward,
                     actions.clientBack, actions.clientForward, actions.toStart, actions.showViolation});
    run->addSeparator();
    run->addActions({actions.addBookmark, actions.bookmarks, actions.previousBookmark, actions.nextBookmark});

    bar->addMenu(faults);

    QMenu* view = addMenu(bar, QT_TRANSLATE_NOOP("Menus", "&View"));
    addShowActions(view, docks, bar->window());
    addGoToActions(view, docks, bar->window());
    view->addAction(actions.inspect);
    view->addSeparator();
    view->addActions({actions.themeSystem, actions.themeLight, actions.themeDark});
    if (language) {
        view->addMenu(language);
    }
    view->addSeparator();
    view->addAction(actions.wallClock);
    view->addSeparator();
    view->addActions(
        {actions.layoutLearn, actions.layoutEverything, actions.presentation, actions.nextLayout});
    view->addSeparator();
    view->addActions({actions.maximize, actions.showMenuBar, actions.resetLayout});

    addMenu(bar, QT_TRANSLATE_NOOP("Menus", "&Help"))
        ->addActions({actions.manual, actions.commands, actions.messages, actions.about});
    for (QAction* menu : bar->actions()) {
        menu->menu()->setToolTipsVisible(true);
    }
}

} // namespace lockscope::ui
