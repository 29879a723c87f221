// A widget that shows one picture of the run, rebuilt when its inputs change and never because the mouse
// moves. Implements what all such widgets share: staleness, focus, tool tips and shortcut overrides. GUI
// thread.
#pragma once

#include <QWidget>

#include "ui/canvas/accessible_items.h"
#include "ui/models/theme.h"

#include <cstddef>
#include <functional>

namespace lockscope::ui {

// Answers a request for a tool tip with plain text, empty: none. Returns false for any other event.
bool showToolTip(QEvent* event, QWidget* owner, const std::function<QString(QPoint)>& tipAt);

class Canvas : public QWidget, public AccessibleItems
{
    Q_OBJECT
public:
    std::size_t builds() const { return m_builds; } // how often the picture was built, for tests
    // Plain text about what is there; may be empty.
    virtual QString tipAt(QPointF at) = 0;

protected:
    Canvas(Theme* theme, QWidget* parent);

    // Has the picture rebuilt before it is drawn next.
    void invalidate();
    bool isStale() const { return m_stale; }
    void countBuild();
    // Called for keys without modifiers, or with Shift only. Returns false when the key has no function here.
    virtual bool handleKey(int key) = 0;
    // Whether this widget, while it has the focus, handles a key that is also a shortcut of the window.
    virtual bool claimsShortcut(int key) const;

    void drawEmpty(QPainter& painter, const QString& text) const; // instead of a picture
    void drawFocus(QPainter& painter) const;

    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

    Theme* theme() const { return m_theme; }

private:
    Theme* m_theme;
    bool m_stale = true;
    std::size_t m_builds = 0;
};

} // namespace lockscope::ui
