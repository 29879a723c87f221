// Where to begin: the built-in scenarios as cards in groups, the files that were opened last, and what else
// can be opened or made. Decides nothing: says what was chosen. GUI thread.
#pragma once

#include <QWidget>

#include "ui/welcome/story.h"

#include <vector>

class QAction;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace lockscope::ui {

class Look;
class RecentFiles;
class StoryCard;
class StoryGrid;
class WelcomeFoot;

class WelcomePage : public QWidget
{
    Q_OBJECT
public:
    struct Offers // what else can be done from here, in this order
    {
        QList<QAction*> buttons; // at the left of the foot
        QList<QAction*> quiet;   // at its right
        QAction* commands = nullptr;
    };
    WelcomePage(const Look* look, RecentFiles* recent, Offers offers, QWidget* parent);
    void addQuiet(const QList<QAction*>& actions); // at the right of the foot, after the others
    void setCorner(QWidget* widget);               // at the top, on the right
    QLineEdit* search() const { return m_search; }
    int footHeight() const; // nothing lies over it
    const std::vector<StoryCard*>& cards() const { return m_cards; }
    std::vector<StoryCard*> shownCards() const;
    int columns() const { return m_columns; }

signals:
    void storyChosen(const QString& name, bool stepped); // stepped: with Shift+Enter
    void fileChosen(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override; // keys of the search line

private:
    void assemble();
    QWidget* head();
    void tellStories(); // anew, in the language of now
    void showRecent();
    void filter();
    void arrange();
    void restyle();
    void linkGroups();
    void moveFrom(const StoryCard* card, int key);
    void goTo(StoryGrid* group);

    const Look* m_look;
    RecentFiles* m_recent;
    Offers m_offers;
    QLabel* m_title;
    QLabel* m_subtitle;
    QLineEdit* m_search;
    QPushButton* m_commands;
    QWidget* m_recentRow;
    QHBoxLayout* m_recentLayout;
    QWidget* m_groupRow;
    QHBoxLayout* m_groupLinks;
    QLabel* m_brand;
    QLabel* m_nothing;
    QScrollArea* m_scroll;
    WelcomeFoot* m_foot;
    QVBoxLayout* m_groupColumn;
    std::vector<StoryGrid*> m_grids;
    std::vector<StoryCard*> m_cards;
    int m_columns = 0;
};

} // namespace lockscope::ui
