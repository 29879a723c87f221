// One view as a card that can be moved, put on top of another, floated and hidden. GUI thread.
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
    const ViewPart* part(const QString& name) const; // null when there is none of this name
    const ViewPart* shownPart() const;               // null when it has none, or shows all
    void showAll();                                  // parts
    // What is shown of the parts, for the settings: the part's name or "all"; empty when it has none.
    QString choice() const;
    void choose(const QString& choice); // of another version: nothing happens
    // The cards that lie in one place with this one, in the order of their tabs; itself among them.
    void setTabs(const QList<DockCard*>& cards);
    QWidget* view() const { return m_view; }
    // Shows the card when it is hidden or lies behind another, and hides it when it is in front.
    QAction* showAction() const { return m_showAction; }
    DockPlace place() const { return m_entry.place; } // by default
    int readableHeight() const;                       // with less, something of the view cannot be read

    // The header and what is below it, for another place to show until restoreContents().
    struct Contents
    {
        QWidget* header;
        QWidget* body;
    };
    Contents takeContents();
    void restoreContents();
    QWidget* frame();              // of the contents: itself, or the place that they were taken to
    void setMaximized(bool alone); // it has the whole area

signals:
    void menuAboutToShow(QMenu* menu);   // of the card: others add to it what they can do with it
    void raiseRequested(DockCard* card); // chosen among the tabs
    void maximizeToggled();              // or, when it is, back among the others

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void showOrHide();
    QString m_name;
    ViewEntry m_entry;
    QWidget* m_view;
    CardHeader* m_header;
    CardBody* m_body;
    QAction* m_showAction;
    QList<DockCard*> m_tabbedCards;
    bool m_contentsTaken = false;
    bool m_maximized = false;
};

} // namespace lockscope::ui
