#include "ui/shell/export/forwarding_engine.h"

#include <QPainter>

namespace lockscope::ui {

namespace {

// Onto a painter that is drawn on already.
class PageEngine final : public ForwardingEngine
{
public:
    explicit PageEngine(QPainter& page)
        : ForwardingEngine(
              PaintEngineFeatures(AllFeatures & ~PerspectiveTransform & ~ConicalGradientFill & ~PorterDuff))
        , m_page(page)
        , m_place(page.transform())
    {
        m_page.save();
    }
    ~PageEngine() override { m_page.restore(); }

protected:
    QPainter& painter() override
    {
        if (const Clip now = clip(); now != m_set) {
            m_page.restore();
            m_page.save();
            if (now)
                m_page.setClipPath(*now, Qt::IntersectClip);
            m_set = now;
            onStateChanged();
        }
        return m_page;
    }
    void onStateChanged() override { applyState(m_page, m_place); }

private:
    QPainter& m_page;
    const QTransform m_place;
    Clip m_set;
};

} // namespace

void ForwardingEngine::updateState(const QPaintEngineState& now)
{
    const DirtyFlags changed = now.state();
    m_transform = now.transform();
    if (changed & DirtyPen)
        m_pen = now.pen();
    if (changed & DirtyBrush)
        m_brush = now.brush();
    if (changed & DirtyBrushOrigin)
        m_brushOrigin = now.brushOrigin();
    if (changed & DirtyFont)
        m_font = now.font();
    if (changed & DirtyOpacity)
        m_opacity = now.opacity();
    if (changed & DirtyClipEnabled)
        m_clipEnabled = now.isClipEnabled();
    const bool restored = !(changed & DirtyClipEnabled); // QPainter::setClip* always enables clipping
    if (changed & DirtyClipRegion) {
        QPainterPath path;
        path.addRegion(now.clipRegion());
        clipTo(onDevice(path, restored), now.clipOperation());
    }
    if (changed & DirtyClipPath)
        clipTo(onDevice(now.clipPath(), restored), now.clipOperation());
    onStateChanged();
}

QPainterPath ForwardingEngine::onDevice(const QPainterPath& path, bool restored)
{
    const QPainterPath mapped = m_transform.map(path);
    if (!restored) {
        m_set.push_back({path, mapped});
        return mapped;
    }
    const SetClip* before = nullptr; // the latest clip of this shape
    for (const SetClip& each : m_set) {
        if (each.path != path)
            continue;
        if (each.onDevice == mapped)
            return mapped;
        before = &each;
    }
    return before ? before->onDevice : mapped;
}

void ForwardingEngine::clipTo(const QPainterPath& path, Qt::ClipOperation operation)
{
    m_clipEnabled = true;
    if (operation == Qt::NoClip)
        m_clip.reset();
    else if (operation == Qt::IntersectClip && m_clip)
        m_clip = m_clip->intersected(path);
    else
        m_clip = path;
}

void ForwardingEngine::applyState(QPainter& painter, const QTransform& ofWidget) const
{
    painter.setTransform(m_transform * ofWidget);
    painter.setPen(m_pen);
    painter.setBrush(m_brush);
    painter.setBrushOrigin(m_brushOrigin);
    painter.setFont(m_font);
    painter.setOpacity(m_opacity);
}

void ForwardingEngine::drawPath(const QPainterPath& path) { painter().drawPath(path); }

void ForwardingEngine::drawPolygon(const QPointF* points, int count, PolygonDrawMode mode)
{
    switch (mode) {
    case PolylineMode:
        painter().drawPolyline(points, count);
        break;
    case ConvexMode:
        painter().drawConvexPolygon(points, count);
        break;
    case OddEvenMode:
    case WindingMode:
        painter().drawPolygon(points, count, mode == WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
    }
}

void ForwardingEngine::drawPixmap(const QRectF& to, const QPixmap& pixmap, const QRectF& from)
{
    painter().drawPixmap(to, pixmap, from);
}

void ForwardingEngine::drawImage(const QRectF& to, const QImage& image, const QRectF& from,
                                 Qt::ImageConversionFlags flags)
{
    painter().drawImage(to, image, from, flags);
}

void ForwardingEngine::drawTextItem(const QPointF& at, const QTextItem& item)
{
    painter().drawTextItem(at, item);
}

int VectorDevice::metric(PaintDeviceMetric metric) const
{
    switch (metric) {
    case PdmWidth:
        return m_size.width();
    case PdmHeight:
        return m_size.height();
    case PdmWidthMM:
        return qRound(m_size.width() * 25.4 / kDotsPerInch);
    case PdmHeightMM:
        return qRound(m_size.height() * 25.4 / kDotsPerInch);
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
        return kDotsPerInch;
    case PdmDepth:
        return 32;
    case PdmNumColors:
        return 0;
    case PdmDevicePixelRatio:
        return 1;
    case PdmDevicePixelRatioScaled:
        return qRound(devicePixelRatioFScale());
    default: // Qt 6.8 has more
        return QPaintDevice::metric(metric);
    }
}

void drawAlone(QWidget& widget, ForwardingEngine& engine)
{
    VectorDevice device(engine, widget.size());
    QPainter painter(&device);
    widget.render(&painter, {}, {},
                  widget.isWindow() ? QWidget::DrawWindowBackground : QWidget::RenderFlags());
}

QWidgetList shownParts(const QWidget& widget)
{
    QWidgetList parts;
    for (QObject* child : widget.children())
        if (auto* part = qobject_cast<QWidget*>(child); part && !part->isWindow() &&
                                                        part->isVisibleTo(&widget) &&
                                                        part->geometry().intersects(widget.rect()))
            parts << part;
    return parts;
}

void drawWithParts(QWidget& widget, QPainter& painter)
{
    painter.save();
    painter.setClipRect(widget.rect(), Qt::IntersectClip);
    {
        PageEngine engine(painter);
        drawAlone(widget, engine);
    }
    for (QWidget* part : shownParts(widget)) {
        painter.save();
        painter.translate(part->pos());
        drawWithParts(*part, painter);
        painter.restore();
    }
    painter.restore();
}

} // namespace lockscope::ui
