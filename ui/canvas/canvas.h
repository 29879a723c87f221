// A widget that shows one picture of the run, rebuilt when its inputs change and never because the mouse
// moves. Provides what all such widgets share: staleness, the text of an empty picture, the focus frame, tool
// tips, hover, selection, the scroll bar, the caption and the keys. GUI thread.
#pragma once

#include <QWidget>

#include "ui/canvas/accessible_items.h"
#include "ui/canvas/view.h"
#include "ui/models/style/retranslate.h"
#include "ui/models/style/theme.h"

#include <QList>

#include <cstddef>
#include <functional>
#include <optional>

class QAction;
class QScrollBar;

namespace lockscope::ui {

// Answers a tool tip request with plain text; an empty text shows no tip. Returns false for any other event.
bool showToolTip(QEvent* event, QWidget* owner, const std::function<QString(QPoint)>& tipAt);

// A text in the middle of a view that has nothing to show.
void drawEmptyState(QPainter& painter, const QRectF& room, const QString& text, const Theme& theme);

// The commands of all canvases in a view, each once: for menus and the manual.
QList<QAction*> canvasCommands(const QWidget& view);

class Canvas : public QWidget, public View, public AccessibleItems
{
    Q_OBJECT
public:
    std::size_t builds() const { return m_builds; } // how often the picture was built, for tests
    // Plain text about the item at this point; may be empty.
    virtual QString tipAt(QPointF at) = 0;
    std::vector<AccessibleItem> accessibleItems() override { return {}; }

    // At the right or at the bottom; visible while part of the picture is out of view.
    QScrollBar* scrollBar() const { return m_bar; }
    int scrolled() const { return m_scroll.value; }
    QRect room() const; // the area without the scroll bar

    // The commands of its keys, in the order of the manual. Menus may show them. The keys work while it has
    // the focus.
    const QList<QAction*>& commands() const { return m_commands; }
    QAction* command(const char* name) const; // for instance "timeline.zoomIn"; null: no such command

protected:
    explicit Canvas(Theme* theme, QWidget* parent, Qt::Orientation scrolls = Qt::Vertical);

    // Rebuilds the picture before it is drawn next, and redraws this part of the widget; null: all of it.
    void invalidate(const QRect& part = {});
    bool isStale() const { return m_stale; }
    void countBuild();

    // Draws the picture over the background. The empty text is drawn over it.
    virtual void draw(QPainter& painter, const QRegion& region) = 0;
    virtual QString emptyText() { return {}; } // why there is nothing to see; empty: there is something
    virtual bool framesFocus() const { return true; }

    // The mouse moved to this point without a pressed button; nullopt: it left the widget.
    virtual void hover(std::optional<QPointF>) {}
    // The left button was pressed at this point. Returns false if that has no effect.
    virtual bool selectAt(QPointF) { return false; }

    // A command of the table of commands; `act` runs when one of its keys is pressed.
    QAction* addCommand(const char* name, std::function<void()> act);

    // Adds the keys that scroll by a page; null: they scroll by the page of the scroll bar.
    void addPageCommands(std::function<void(int pages)> scroll = nullptr);

    struct Scroll
    {
        int value = 0; // from 0 to `hidden`
        int hidden = 0;
        int page = 1, line = 1;
        bool operator==(const Scroll&) const = default;
    };
    // The scroll range of the picture just laid out. The bar is updated from the event loop: a bar that
    // appears causes a new layout, which a paint event must not do.
    void showScroll(const Scroll& scroll);
    // Called when the bar, the wheel or a key scrolls.
    virtual void scrollTo(int value);
    // Scrolls as little as needed to have this part of the content in view.
    void bringIntoView(double begin, double end);

    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool event(QEvent* event) override;

    Theme* theme() const { return m_theme; }

private:
    void updateBar();
    void placeBar();

    Theme* m_theme;
    QScrollBar* m_bar;
    QList<QAction*> m_commands;
    Scroll m_scroll;
    bool m_stale = true;
    std::size_t m_builds = 0;
};

} // namespace lockscope::ui
