// Draws widgets as lines and letters through a painter on a vector device (SVG, PDF, a printer). GUI thread.
#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainterPath>
#include <QWidget>

#include <optional>
#include <vector>

namespace lockscope::ui {

// Forwards all drawing to another painter, with clips that are right. QPainter::restore() sets the earlier
// clips again, but applies the transform twice if a widget is drawn into another widget's picture: a
// restored clip therefore keeps the coordinates that it had when it was first set.
class ForwardingEngine : public QPaintEngine
{
public:
    using QPaintEngine::QPaintEngine;

    Type type() const override { return User; }
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState& now) override;
    void drawPath(const QPainterPath& path) override;
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override;
    void drawPixmap(const QRectF& to, const QPixmap& pixmap, const QRectF& from) override;
    void drawImage(const QRectF& to, const QImage& image, const QRectF& from,
                   Qt::ImageConversionFlags flags) override;
    void drawTextItem(const QPointF& at, const QTextItem& item) override;

protected:
    using Clip = std::optional<QPainterPath>; // in coordinates of the widget; nullopt: not clipped

    virtual QPainter& painter() = 0;   // with the current clip and state
    virtual void onStateChanged() = 0; // except for the clip
    Clip clip() const { return m_clipEnabled ? m_clip : std::nullopt; }
    const QPen& pen() const { return m_pen; }
    void applyState(QPainter& painter, const QTransform& ofWidget = {}) const;

private:
    struct SetClip
    {
        QPainterPath path, onDevice;
    };

    QPainterPath onDevice(const QPainterPath& path, bool restored);
    void clipTo(const QPainterPath& path, Qt::ClipOperation operation); // in device coordinates

    Clip m_clip;
    std::vector<SetClip> m_set; // in the order in which they were set
    bool m_clipEnabled = true;
    QPen m_pen;
    QBrush m_brush;
    QPointF m_brushOrigin;
    QFont m_font;
    QTransform m_transform;
    double m_opacity = 1;
};

// What a widget is drawn on, with the widget's size and the resolution of a screen.
class VectorDevice : public QPaintDevice
{
public:
    static constexpr int kDotsPerInch = 96;

    VectorDevice(ForwardingEngine& engine, const QSize& size) // the engine outlives it
        : m_engine(engine)
        , m_size(size)
    {}
    QPaintEngine* paintEngine() const override { return &m_engine; }

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    ForwardingEngine& m_engine;
    QSize m_size;
};

// Draws the widget without its children.
void drawAlone(QWidget& widget, ForwardingEngine& engine);
// Its children that are seen. Each is drawn on its own: a scrolled child does not spill over its frame.
QWidgetList shownParts(const QWidget& widget);
// Draws the widget and its parts where the painter is.
void drawWithParts(QWidget& widget, QPainter& painter);

} // namespace lockscope::ui
