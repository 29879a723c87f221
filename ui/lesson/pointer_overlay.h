// Halos around the items that a step of a lesson points at, and a line from the text to the first one. Covers
// the views and lets all input through. GUI thread.
#pragma once

#include <QPainterPath>
#include <QWidget>

namespace lockscope::ui {

class Theme;

class PointerOverlay : public QWidget
{
    Q_OBJECT
public:
    // Covers all of `window`.
    PointerOverlay(const Theme* theme, QWidget* window);
    // In coordinates of the window. Without targets, nothing is drawn.
    void point(QPoint from, const QList<QRect>& targets);
    const QList<QRect>& targets() const { return m_targets; }
    static QPainterPath line(QPoint from, const QRect& target);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme* m_theme;
    QPoint m_from;
    QList<QRect> m_targets;
};

} // namespace lockscope::ui
