#include "ui/shell/export/clipping_svg_device.h"

#include "ui/shell/export/svg_text.h"

#include <QBuffer>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QSvgGenerator>

#include <optional>
#include <vector>

namespace lockscope::ui {

namespace {

constexpr int kDotsPerInch = 96;

// As those of the generator, so that a painter leaves it the same work.
constexpr QPaintEngine::PaintEngineFeatures
    kFeatures(QPaintEngine::AllFeatures & ~QPaintEngine::PatternBrush & ~QPaintEngine::PerspectiveTransform &
              ~QPaintEngine::ConicalGradientFill & ~QPaintEngine::PorterDuff);

} // namespace

// Hands all on to a painter on a generator, and begins another one where the clip is another.
class ClippingSvgDevice::Engine : public QPaintEngine
{
public:
    Engine(const QSize& size, QByteArray prefix)
        : QPaintEngine(kFeatures)
        , m_size(size)
        , m_prefix(std::move(prefix))
    {}
    const QByteArray& clips() const { return m_clips; }
    const QByteArray& body() const { return m_body; }

    Type type() const override { return User; }
    bool begin(QPaintDevice*) override { return true; }
    bool end() override
    {
        finish();
        return true;
    }
    void updateState(const QPaintEngineState& now) override;
    void drawPath(const QPainterPath& path) override { painter().drawPath(path); }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override;
    void drawPixmap(const QRectF& to, const QPixmap& pixmap, const QRectF& from) override
    {
        painter().drawPixmap(to, pixmap, from);
    }
    void drawImage(const QRectF& to, const QImage& image, const QRectF& from,
                   Qt::ImageConversionFlags flags) override
    {
        painter().drawImage(to, image, from, flags);
    }
    void drawTextItem(const QPointF& at, const QTextItem& item) override;

private:
    // What is drawn under one clip.
    struct Fragment
    {
        std::optional<QPainterPath> clip; // of the device; nothing: not clipped
        QBuffer buffer;
        QSvgGenerator generator;
        QPainter painter;
        std::vector<double> textWidths;
    };

    struct SetClip
    {
        QPainterPath path, onDevice;
    };

    QPainterPath onDevice(const QPainterPath& path, bool again);
    void clipTo(const QPainterPath& path, Qt::ClipOperation operation); // of the device
    QPainter& painter();
    void dress(QPainter& painter) const;
    void finish();

    QSize m_size;
    QByteArray m_prefix, m_clips, m_body;
    std::optional<QPainterPath> m_clip; // of the device
    std::vector<SetClip> m_set;         // in the order in which they were set
    bool m_clipEnabled = true;
    QPen m_pen;
    QBrush m_brush;
    QPointF m_brushOrigin;
    QFont m_font;
    QTransform m_transform;
    double m_opacity = 1;
    std::unique_ptr<Fragment> m_fragment;
    int m_fragments = 0;
};

void ClippingSvgDevice::Engine::updateState(const QPaintEngineState& now)
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
    const bool again = !(changed & DirtyClipEnabled); // what somebody sets is always enabled
    if (changed & DirtyClipRegion) {
        QPainterPath path;
        path.addRegion(now.clipRegion());
        clipTo(onDevice(path, again), now.clipOperation());
    }
    if (changed & DirtyClipPath)
        clipTo(onDevice(now.clipPath(), again), now.clipOperation());
    if (m_fragment)
        dress(m_fragment->painter);
}

// A painter that restores its state sets the clips before again, and applies the transform of a widget that
// is drawn into another one's picture twice: such a clip is where it was when it was set.
QPainterPath ClippingSvgDevice::Engine::onDevice(const QPainterPath& path, bool again)
{
    const QPainterPath mapped = m_transform.map(path);
    if (!again) {
        m_set.push_back({path, mapped});
        return mapped;
    }
    const SetClip* before = nullptr; // the last one of this shape
    for (const SetClip& each : m_set) {
        if (each.path != path)
            continue;
        if (each.onDevice == mapped)
            return mapped;
        before = &each;
    }
    return before ? before->onDevice : mapped;
}

void ClippingSvgDevice::Engine::clipTo(const QPainterPath& path, Qt::ClipOperation operation)
{
    m_clipEnabled = true;
    if (operation == Qt::NoClip)
        m_clip.reset();
    else if (operation == Qt::IntersectClip && m_clip)
        m_clip = m_clip->intersected(path);
    else
        m_clip = path;
}

void ClippingSvgDevice::Engine::dress(QPainter& painter) const
{
    painter.setTransform(m_transform);
    painter.setPen(m_pen);
    painter.setBrush(m_brush);
    painter.setBrushOrigin(m_brushOrigin);
    painter.setFont(m_font);
    painter.setOpacity(m_opacity);
}

// Of the fragment with the clip of now.
QPainter& ClippingSvgDevice::Engine::painter()
{
    const std::optional<QPainterPath> clip = m_clipEnabled ? m_clip : std::nullopt;
    if (m_fragment && m_fragment->clip == clip)
        return m_fragment->painter;
    finish();
    m_fragment = std::make_unique<Fragment>();
    m_fragment->clip = clip;
    m_fragment->generator.setOutputDevice(&m_fragment->buffer);
    m_fragment->generator.setSize(m_size);
    m_fragment->generator.setViewBox(QRect(QPoint(), m_size));
    m_fragment->generator.setResolution(kDotsPerInch);
    m_fragment->painter.begin(&m_fragment->generator);
    dress(m_fragment->painter);
    return m_fragment->painter;
}

void ClippingSvgDevice::Engine::finish()
{
    if (!m_fragment)
        return;
    m_fragment->painter.end();
    const QByteArray id = m_prefix + '_' + QByteArray::number(m_fragments++);
    QString text = svgContents(m_fragment->buffer.data());
    // Ids are unique in each fragment only.
    text.replace(QLatin1String("\"gradient"), QLatin1String("\"g") + id + QLatin1String("gradient"));
    text.replace(QLatin1String("#gradient"), QLatin1String("#g") + id + QLatin1String("gradient"));
    addFontFallbacks(text);
    qsizetype at = 0;
    for (const double width : m_fragment->textWidths) {
        at = text.indexOf(QLatin1String("<text "), at);
        if (at < 0)
            break;
        at += 6;
        if (width > 0)
            text.insert(at,
                        QStringLiteral("textLength=\"%1\" lengthAdjust=\"spacingAndGlyphs\" ").arg(width));
    }
    if (m_fragment->clip) {
        m_clips += "<clipPath id=\"c" + id + "\"><path d=\"" + svgPath(*m_fragment->clip) + "\"" +
                   (m_fragment->clip->fillRule() == Qt::OddEvenFill ? " clip-rule=\"evenodd\"" : "") +
                   "/></clipPath>\n";
        m_body += "<g clip-path=\"url(#c" + id + ")\">\n" + text.toUtf8() + "\n</g>\n";
    } else {
        m_body += text.toUtf8() + '\n';
    }
    m_fragment.reset();
}

void ClippingSvgDevice::Engine::drawPolygon(const QPointF* points, int count, PolygonDrawMode mode)
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

void ClippingSvgDevice::Engine::drawTextItem(const QPointF& at, const QTextItem& item)
{
    QPainter& to = painter();
    if (m_pen.style() != Qt::NoPen) // else nothing is written
        m_fragment->textWidths.push_back(item.width());
    to.drawTextItem(at, item);
}

ClippingSvgDevice::ClippingSvgDevice(const QSize& size, const QByteArray& prefix)
    : m_engine(std::make_unique<Engine>(size, prefix))
    , m_size(size)
{}

ClippingSvgDevice::~ClippingSvgDevice() = default;

QByteArray ClippingSvgDevice::clips() const { return m_engine->clips(); }

QByteArray ClippingSvgDevice::body() const { return m_engine->body(); }

QPaintEngine* ClippingSvgDevice::paintEngine() const { return m_engine.get(); }

int ClippingSvgDevice::metric(PaintDeviceMetric metric) const
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
    }
    return 0;
}

} // namespace lockscope::ui
