// The area of the cards: docks side by side with gaps, in the default arrangement or the user's. GUI thread.
#pragma once

#include <QMainWindow>

#include "ui/shell/docking/dock_card.h"
#include "ui/shell/docking/dock_proportions.h"

#include <map>
#include <vector>

namespace lockscope::ui {

class DockArea : public QMainWindow
{
    Q_OBJECT
public:
    static constexpr int kGap = 10;
    // In a lower window, three rows of cards leave no room for the legend and the explanations.
    static constexpr int kLowWindowHeight = 780;
    DockArea(const std::vector<ViewEntry>& views, Theme* theme, QWidget* parent);

    void arrangeByDefault();    // as fits the window's height, if the window is shown
    void arrangeForLowWindow(); // two rows instead of three: more cards lie behind others
    // The proportions that the user set; empty: the defaults apply. Both scale with the window.
    QVariantMap userProportions() const { return m_userProportions.toVariant(); }
    void setUserProportions(const QVariantMap& shares);
    // Shows only these cards, one below the other; the user can show the others too.
    void showOnly(const std::vector<DockCard*>& cards);
    QStringList cardNames() const;
    void placeMissing(const QStringList& known);      // docks and shows the cards that are not in `known`
    void restoreArrangement(const QByteArray& state); // `state`: from saveState(); reapplies the proportions
    // Gives the card the whole area; if it already has it, restores all cards.
    void maximize(DockCard* card);
    void showAll();
    DockCard* maximized() const { return m_maximized; } // null: no card is maximized
    void focusCard(DockCard* card);                     // brings the card to the front and gives it the focus
    DockCard* card(const QString& name) const;
    DockCard* cardOf(const QString& viewOrPart) const; // with this name, or with a part of this name; or null
    const std::vector<DockCard*>& cards() const { return m_cards; }

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void endDrag();
    void removeAllDocks();
    void arrange(const std::map<DockPlace, DockPlace>& instead);
    void applyProportions();
    void rememberProportions();
    void syncTabs();
    void leaveMaximizedFor(DockCard* card);
    std::vector<DockCard*> currentTabs() const;
    void scheduleTabSync();
    void raiseInstead(DockCard* card, DockCard* instead);
    Theme* m_theme;
    std::vector<DockCard*> m_cards;
    DockCard* m_maximized = nullptr;
    std::vector<DockCard*> m_hiddenCards; // while one is maximized
    std::vector<DockCard*> m_frontCards;  // the cards that were in front before maximizing
    bool m_syncing = false;
    bool m_moved = false;
    bool m_rearranging = false; // the layout lacks some cards
    DockProportions m_userProportions;
    DockProportions m_proportionsAtPress; // when the mouse button was pressed
};

} // namespace lockscope::ui
