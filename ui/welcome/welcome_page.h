// The start page: the built-in scenarios as cards in groups, recent files, and actions. Emits signals for
// what the user chooses. GUI thread.
#pragma once

#include <QWidget>

#include "ui/welcome/scenario_entry.h"

#include <vector>

class QAction;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace lockscope::ui {

class Theme;
class RecentFiles;
class ScenarioCard;
class ScenarioGrid;
class WelcomeFooter;

class WelcomePage : public QWidget
{
    Q_OBJECT
public:
    struct Commands // the buttons of the footer, in this order
    {
        QList<QAction*> buttons;   // on the left
        QList<QAction*> secondary; // on the right
        QAction* commands = nullptr;
    };
    WelcomePage(const Theme* theme, RecentFiles* recent, Commands offers, QWidget* parent);
    void addSecondary(const QList<QAction*>& actions); // on the right of the footer, after the others
    // Large buttons for the ways to start, in this order; the first is for beginners. Icon texts are button
    // texts.
    void setWaysIn(const QList<QAction*>& ways);
    // Lessons above the scenarios, in this order; the first is for beginners. Icon texts are titles, a
    // checked action is a lesson that was done.
    void setLessons(const QList<QAction*>& lessons);
    void setCorner(QWidget* widget); // at the top right
    // Only the ways in, with what each of them is, until the user asks for the rest. The first way has the
    // keys of the page then, otherwise the search line.
    void setCalm(bool calm);
    QLineEdit* search() const { return m_search; }
    int footerHeight() const; // messages must not cover it
    const std::vector<ScenarioCard*>& cards() const { return m_cards; }
    std::vector<ScenarioCard*> shownCards() const;
    int columns() const { return m_columns; }

signals:
    void scenarioChosen(const QString& name, bool stepped); // stepped: with Shift+Enter
    void fileChosen(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override; // keys of the search line

private:
    void assemble();
    QWidget* head();
    QWidget* rest();
    static QPushButton* buttonFor(QAction* action, const QString& prefix, QWidget* parent);
    void showCalm();
    void rebuildCards(); // in the current language
    void showRecent();
    void filter();
    void arrange();
    void applyTheme();
    void rebuildGroupLinks();
    void moveFrom(const ScenarioCard* card, int key);
    void goTo(ScenarioGrid* group);

    const Theme* m_theme;
    RecentFiles* m_recent;
    Commands m_commandsOffered;
    QWidget* m_head = nullptr;
    QLabel* m_title;
    QLabel* m_subtitle;
    QPushButton* m_toRest; // of the calm page
    QWidget* m_rest;       // what the calm page does not have
    QLineEdit* m_search;
    QPushButton* m_commands;
    QWidget* m_recentRow;
    QHBoxLayout* m_recentLayout;
    QWidget* m_waysRow;
    QWidget* m_lessonRow;
    QLabel* m_lessonTitle;
    QWidget* m_groupRow;
    QHBoxLayout* m_groupLinks;
    QLabel* m_brand;
    QLabel* m_noMatches;
    QScrollArea* m_scroll;
    WelcomeFooter* m_footer;
    QVBoxLayout* m_column;
    QVBoxLayout* m_groupColumn;
    std::vector<ScenarioGrid*> m_grids;
    std::vector<ScenarioCard*> m_cards;
    int m_columns = 0;
    bool m_calm = false;
};

} // namespace lockscope::ui
