// Where the cards lie: docks side by side with gaps, the default arrangement, and back to it. GUI thread.
#pragma once

#include <QMainWindow>

#include "ui/shell/dock_card.h"

#include <vector>

namespace lockscope::ui {

class DockArea : public QMainWindow
{
    Q_OBJECT
public:
    static constexpr int kGap = 10;
    DockArea(const std::vector<ViewEntry>& views, Look* look, QWidget* parent);

    void arrangeByDefault();
    // What was restored or done by hand is not touched when the window's size changes.
    void keepArrangement() { m_default = false; }
    DockCard* card(const QString& name) const;
    DockCard* cardOf(const QString& viewOrPart) const; // with this name, or with a part of it; may be null
    const std::vector<DockCard*>& cards() const { return m_cards; }

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void shareOut();
    void shareHeights(const QList<DockCard*>& column, const QList<double>& shares, int height);
    void syncTabs();
    void syncTabsSoon();
    void bringForward(DockCard* card, DockCard* instead);
    Look* m_look;
    std::vector<DockCard*> m_cards;
    bool m_syncing = false;
    bool m_default = true; // nobody moved anything: the shares follow the window's size
};

} // namespace lockscope::ui
