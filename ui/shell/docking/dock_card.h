// A view in a card that can be moved, stacked on another card, floated and hidden. GUI thread.
#pragma once

#include <QDockWidget>

#include "ui/shell/docking/card_frame.h"
#include "ui/shell/docking/views.h"

namespace lockscope::ui {

class DockCard : public QDockWidget
{
    Q_OBJECT
public:
    DockCard(const ViewEntry& entry, Theme* theme, QWidget* parent);
    CardHeader* header() const { return m_header; }
    QString name() const { return m_entry.row.name; }
    View& content() const { return *m_entry.view; }
    bool hasPart(const QString& name) const;
    // The cards in the same place as this one, which is included, in the order of their tabs.
    void setTabs(const QList<DockCard*>& cards);
    QWidget* view() const { return m_entry.widget; } // the same as a widget
    // Shows the card when it is hidden or lies behind another, and hides it when it is in front.
    QAction* showAction() const { return m_showAction; }
    DockPlace place() const { return m_entry.row.place; } // the default place
    int readableHeight() const; // in pixels; at a lower height, part of the view cannot be read

    // The header and what lies below it, lent to another widget until restoreContents().
    struct Contents
    {
        QWidget* header;
        QWidget* body;
    };
    Contents takeContents();
    void restoreContents();
    QWidget* frame();              // the parent of the contents: this card, or the widget that took them
    void setMaximized(bool alone); // true: the card has the whole area

signals:
    void menuAboutToShow(QMenu* menu);   // the card's menu: receivers may add entries
    void raiseRequested(DockCard* card); // the user chose its tab
    void maximizeToggled();              // the user maximizes the card, or restores the others

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void showOrHide();
    void adaptToPrint();
    ViewEntry m_entry;
    Theme* m_theme;
    CardHeader* m_header;
    CardBody* m_body;
    QAction* m_showAction;
    QList<DockCard*> m_tabbedCards;
    bool m_contentsTaken = false;
    bool m_maximized = false;
};

} // namespace lockscope::ui
