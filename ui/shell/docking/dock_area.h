// Where the cards lie: docks side by side with gaps, the default arrangement, and back to it. GUI thread.
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
    // In a lower window three rows of cards leave no room for the legend, and for what explains.
    static constexpr int kLowWindowHeight = 780;
    DockArea(const std::vector<ViewEntry>& views, Theme* theme, QWidget* parent);

    void arrangeByDefault();    // as fits the window's height, once it is shown
    void arrangeForLowWindow(); // in a window that is too low for three rows: more cards lie behind others
    // The proportions that the user set; empty: the default ones. Both follow the window's size.
    QVariantMap userProportions() const { return m_userProportions.toVariant(); }
    void setUserProportions(const QVariantMap& shares);
    // Only these, one below the other; the user can show the others too.
    void showOnly(const std::vector<DockCard*>& cards);
    QStringList cardNames() const;
    void placeMissing(const QStringList& known);      // the cards that a restored arrangement does not have
    void restoreArrangement(const QByteArray& state); // of saveState(), and the cards have their shares again
    // Gives one card the whole area, or, when it has it, back to all of them.
    void maximize(DockCard* card);
    void showAll();
    DockCard* maximized() const { return m_maximized; } // null: all are there
    void focusCard(DockCard* card);                     // in front, with the focus
    DockCard* card(const QString& name) const;
    DockCard* cardOf(const QString& viewOrPart) const; // with this name, or with a part of it; may be null
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
    std::vector<DockCard*> m_frontCards;  // the current tabs then
    bool m_syncing = false;
    bool m_moved = false;
    bool m_rearranging = false; // the layout is not whole
    DockProportions m_userProportions;
    DockProportions m_proportionsAtPress; // as it was when the mouse went down
};

} // namespace lockscope::ui
