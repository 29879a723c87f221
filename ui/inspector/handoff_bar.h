// The parts of a handoff as one bar, each as long as its share of the time. Hidden when the inspected item
// has no parts. The rows below it contain the same as text. GUI thread.
#pragma once

#include <QWidget>

#include "ui/inspector/fact.h"
#include "ui/models/theme.h"

namespace lockscope::ui {

class InspectorModel;

class HandoffBar : public QWidget
{
    Q_OBJECT
public:
    HandoffBar(const InspectorModel* model, Theme* theme, QWidget* parent);

    struct Part
    {
        QString label;
        Duration duration{};
        Tone tone = Tone::plain;
        QRectF box;
    };
    const QList<Part>& parts() const { return m_parts; }
    QString toolTipAt(QPointF point) const;
    QSize sizeHint() const override { return {200, kHeight}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    static constexpr int kHeight = 38;
    void collect();
    void layOut();
    const InspectorModel* m_model;
    Theme* m_theme;
    QList<Part> m_parts;
};

} // namespace lockscope::ui
