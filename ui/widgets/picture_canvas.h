// A widget that shows one picture of the run, made again when its inputs changed and never because the mouse
// moved. What every such widget does alike is here: staleness, focus, tool tips, and which keys are its own. GUI
// thread.
#pragma once

#include <QWidget>

#include "ui/models/theme.h"

#include <cstddef>

namespace lockscope::ui {

class PictureCanvas : public QWidget
{
    Q_OBJECT
public:
    std::size_t builds() const { return m_builds; } // how often the picture was made
    // Plain text about what is there; empty when there is nothing to say.
    virtual QString tipAt(QPointF at) = 0;

protected:
    PictureCanvas(Theme* theme, QWidget* parent);

    // The picture's inputs changed: it is made again before it is drawn next.
    void invalidate();
    bool isStale() const { return m_stale; }
    void countBuild();
    // Sent without modifiers but Shift. False when the key means nothing here.
    virtual bool pressed(int key) = 0;
    // Whether a key that is a shortcut of the window, too, means this widget while it has the focus.
    virtual bool claimsShortcut(int key) const;

    void drawEmpty(QPainter& painter, const QString& text) const; // in place of a picture
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
