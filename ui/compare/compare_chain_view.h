// One run's queue in a comparison: a star or a chain at the selected release, and a sentence about the
// clients that it woke. GUI thread.
#pragma once

#include <QWidget>

#include "ui/compare/compared_run.h"

namespace lockscope::ui {

class Theme;

class CompareChainView : public QWidget
{
    Q_OBJECT
public:
    explicit CompareChainView(Theme* theme, QWidget* parent = nullptr);
    void show(const ChainMoment& moment);
    using QWidget::show;
    const ChainMoment& moment() const { return m_moment; }
    QString caption() const;  // "ada releases · 4 watches on one node"
    QString sentence() const; // "this release wakes exactly one waiter of 49: bo gets the lock"
    QString tipAt(QPointF at) const; // plain text; may be empty
    QSize sizeHint() const override { return {560, 300}; }
    QSize minimumSizeHint() const override { return {200, 110}; }

signals:
    void captionChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QString headWords() const;
    QString watchesWords() const;
    void drawKeys(QPainter& painter, const QRect& room) const;
    QRectF drawing() const;
    Theme* m_theme;
    ChainMoment m_moment;
};

} // namespace lockscope::ui
