// The parts of a handoff as one bar, each as long as its share of the time. Hidden when the inspected item
// has no parts. The rows below it contain the same as text. GUI thread.
#pragma once

#include "ui/canvas/canvas.h"
#include "ui/texts/fact.h"

namespace lockscope::ui {

class InspectorModel;

class HandoffBar : public Canvas
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
    QString tipAt(QPointF point) override;
    std::vector<AccessibleItem> accessibleItems() override; // the parts
    QSize sizeHint() const override { return {200, kHeight}; }

protected:
    void draw(QPainter& painter, const QRegion& region) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    static constexpr int kHeight = 38;
    void collect();
    void layOut();
    const InspectorModel* m_model;
    QList<Part> m_parts;
};

} // namespace lockscope::ui
