// Where the cards lie: docks side by side with gaps, the default arrangement, and back to it. GUI thread.
#pragma once

#include <QMainWindow>

#include "ui/shell/card_shares.h"
#include "ui/shell/dock_card.h"

#include <vector>

namespace lockscope::ui {

class DockArea : public QMainWindow
{
    Q_OBJECT
public:
    static constexpr int kGap = 10;
    static constexpr int kLowWindow = 740; // in lower ones three rows of cards leave no room for what explains
    DockArea(const std::vector<ViewEntry>& views, Look* look, QWidget* parent);

    void arrangeByDefault(); // as fits the window's height, once it is shown
    void arrangeLow();       // in a window that is too low for three rows: more cards lie behind others
    // The shares that were made by hand; empty as long as nobody did: then they are as by default. Either
    // way they follow the window's size.
    QVariantMap sharesByHand() const { return m_byHand.toKeep(); }
    void adopt(const QVariantMap& shares);
    void putBack(const QByteArray& state); // of saveState(), and the cards have their shares again
    // Gives one card the whole area, or, when it has it, back to all of them.
    void maximize(DockCard* card);
    void showAll();
    DockCard* maximized() const { return m_maximized; } // null: all are there
    void goTo(DockCard* card);                          // in front, with the focus
    DockCard* card(const QString& name) const;
    DockCard* cardOf(const QString& viewOrPart) const; // with this name, or with a part of it; may be null
    const std::vector<DockCard*>& cards() const { return m_cards; }

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void takeApart();
    void putTogether(const std::vector<QStringList>& places);
    void shareOut();
    void takeShares();
    void syncTabs();
    void makeRoomFor(DockCard* card);
    void syncTabsSoon();
    void bringForward(DockCard* card, DockCard* instead);
    Look* m_look;
    std::vector<DockCard*> m_cards;
    DockCard* m_maximized = nullptr;
    QByteArray m_beforeMaximized; // of saveState()
    bool m_syncing = false;
    bool m_moved = false;
    CardShares m_byHand;
    CardShares m_pressed; // as it was when the mouse went down
};

} // namespace lockscope::ui
