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
    QString name() const { return m_name; }
    const std::vector<ViewPart>& parts() const { return m_entry.parts; }
    const ViewPart* part(const QString& name) const; // null: there is no part of this name
    const ViewPart* shownPart() const;               // null: the view has no parts, or shows all
    void showAll();                                  // shows all parts
    // The shown part's name, or "all", to be saved in the settings; empty when the view has no parts.
    QString choice() const;
    void choose(const QString& choice); // ignores an unknown choice, as another version may have saved
    // The cards in the same place as this one, which is included, in the order of their tabs.
    void setTabs(const QList<DockCard*>& cards);
    QWidget* view() const { return m_view; }
    // Shows the card when it is hidden or lies behind another, and hides it when it is in front.
    QAction* showAction() const { return m_showAction; }
    DockPlace place() const { return m_entry.place; } // the default place
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
    QString m_name;
    ViewEntry m_entry;
    Theme* m_theme;
    QWidget* m_view;
    CardHeader* m_header;
    CardBody* m_body;
    QAction* m_showAction;
    QList<DockCard*> m_tabbedCards;
    bool m_contentsTaken = false;
    bool m_maximized = false;
};

} // namespace lockscope::ui
