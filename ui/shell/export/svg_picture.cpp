#include "ui/shell/export/svg_picture.h"

#include <QBuffer>
#include <QFontInfo>
#include <QLocale>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace lockscope::ui {

namespace {

constexpr int kDotsPerInch = 96;

// The features of QSvgGenerator's engine, so that QPainter simplifies drawing for this engine exactly as it
// does for that one.
constexpr QPaintEngine::PaintEngineFeatures
    kFeatures(QPaintEngine::AllFeatures & ~QPaintEngine::PatternBrush & ~QPaintEngine::PerspectiveTransform &
              ~QPaintEngine::ConicalGradientFill & ~QPaintEngine::PorterDuff);

// The content of the svg element, without its title and description.
QString svgContents(const QByteArray& svg)
{
    const auto open = svg.indexOf("<svg");
    const auto from = svg.indexOf('>', open) + 1;
    const auto to = svg.lastIndexOf("</svg>");
    static const QRegularExpression aside("<(title|desc)>[^<]*</\\1>\\s*");
    return QString::fromUtf8(svg.mid(from, to - from)).remove(aside).trimmed();
}

QByteArray svgPath(const QPainterPath& path)
{
    QByteArray data;
    const auto point = [&](const QPainterPath::Element& at) {
        data += QByteArray::number(at.x) + ',' + QByteArray::number(at.y) + ' ';
    };
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element at = path.elementAt(i);
        if (at.isMoveTo())
            data += 'M';
        else if (at.isLineTo())
            data += 'L';
        else if (at.isCurveTo())
            data += 'C';
        point(at);
    }
    return data.trimmed();
}

// Appends a generic family to each font family: without it, a browser that lacks the font would use a serif
// font.
void addFontFallbacks(QString& text)
{
    static const QRegularExpression family(QStringLiteral("font-family=\"([^\",]*)\""));
    // Each family once, all over the text: a picture names it a thousand times.
    for (auto match = family.match(text); match.hasMatch(); match = family.match(text, match.capturedEnd())) {
        const bool fixed = QFontInfo(QFont(match.captured(1))).fixedPitch();
        const QString more = fixed ? QStringLiteral(", monospace\"") : QStringLiteral(", sans-serif\"");
        text.replace(match.captured(), match.captured().chopped(1) + more);
    }
}

// Forwards all drawing to a painter on a QSvgGenerator. Each change of the clip starts a new generator, whose
// output becomes a group with that clip. Each text gets the length measured here, so that another font does
// not widen it.
class ClippingEngine : public QPaintEngine
{
public:
    ClippingEngine(const QSize& size, QByteArray prefix)
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
    // Everything drawn under one clip.
    struct Fragment
    {
        std::optional<QPainterPath> clip; // in device coordinates; nullopt: not clipped
        QBuffer buffer;
        QSvgGenerator generator;
        QPainter painter;
        std::vector<double> textWidths;
    };

    struct SetClip
    {
        QPainterPath path, onDevice;
    };

    QPainterPath onDevice(const QPainterPath& path, bool restored);
    void clipTo(const QPainterPath& path, Qt::ClipOperation operation); // in device coordinates
    QPainter& painter();
    void applyState(QPainter& painter) const;
    void finish();

    QSize m_size;
    QByteArray m_prefix, m_clips, m_body;
    std::optional<QPainterPath> m_clip; // in device coordinates
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

void ClippingEngine::updateState(const QPaintEngineState& now)
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
    if (m_fragment)
        applyState(m_fragment->painter);
}

// QPainter::restore() sets the earlier clips again, but applies the transform twice if a widget is drawn into
// another widget's picture. A restored clip therefore keeps the device coordinates it had when it was first
// set.
QPainterPath ClippingEngine::onDevice(const QPainterPath& path, bool restored)
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

void ClippingEngine::clipTo(const QPainterPath& path, Qt::ClipOperation operation)
{
    m_clipEnabled = true;
    if (operation == Qt::NoClip)
        m_clip.reset();
    else if (operation == Qt::IntersectClip && m_clip)
        m_clip = m_clip->intersected(path);
    else
        m_clip = path;
}

void ClippingEngine::applyState(QPainter& painter) const
{
    painter.setTransform(m_transform);
    painter.setPen(m_pen);
    painter.setBrush(m_brush);
    painter.setBrushOrigin(m_brushOrigin);
    painter.setFont(m_font);
    painter.setOpacity(m_opacity);
}

// The painter of the fragment with the current clip.
QPainter& ClippingEngine::painter()
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
    applyState(m_fragment->painter);
    return m_fragment->painter;
}

void ClippingEngine::finish()
{
    if (!m_fragment)
        return;
    m_fragment->painter.end();
    const QByteArray id = m_prefix + '_' + QByteArray::number(m_fragments++);
    QString text = svgContents(m_fragment->buffer.data());
    // The generator's ids are unique within one fragment only.
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

void ClippingEngine::drawPolygon(const QPointF* points, int count, PolygonDrawMode mode)
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

void ClippingEngine::drawTextItem(const QPointF& at, const QTextItem& item)
{
    QPainter& to = painter();
    if (m_pen.style() != Qt::NoPen) // without a pen the generator writes no text element
        m_fragment->textWidths.push_back(item.width());
    to.drawTextItem(at, item);
}

// A paint device that writes SVG with clips, which the SVG generator of Qt 6.4 ignores.
class ClippingSvgDevice : public QPaintDevice
{
public:
    ClippingSvgDevice(const QSize& size, const QByteArray& prefix) // `prefix`: of all ids in the output
        : m_engine(std::make_unique<ClippingEngine>(size, prefix))
        , m_size(size)
    {}

    const QByteArray& clips() const
    {
        return m_engine->clips();
    } // for the defs; valid once no painter is active
    const QByteArray& body() const { return m_engine->body(); } // likewise

    QPaintEngine* paintEngine() const override { return m_engine.get(); }

protected:
    int metric(PaintDeviceMetric metric) const override
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

private:
    std::unique_ptr<ClippingEngine> m_engine;
    QSize m_size;
};

// Each widget is drawn on its own, into a group with its position and its clip: a scrolled child does not
// spill over its frame.
class SvgComposer
{
public:
    explicit SvgComposer(QWidget& widget)
        : m_size(widget.size())
    {
        addWidget(widget, {});
    }
    QByteArray bytes() const;

private:
    void addWidget(QWidget& widget, const QPoint& place);
    void addDrawing(QWidget& widget, const QByteArray& id);

    QSize m_size;
    QByteArray m_clips;
    QByteArray m_body;
    int m_next = 0;
};

QByteArray SvgComposer::bytes() const
{
    const QByteArray width = QByteArray::number(m_size.width());
    const QByteArray height = QByteArray::number(m_size.height());
    return "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
           "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
           "version=\"1.1\" "
           "style=\"font-feature-settings:'calt' 0\" " // Inter's alternates make 0×23 of 0x23; Qt leaves it
           "xml:lang=\"" + // without it, Chinese may be drawn with Japanese glyphs
           QLocale().bcp47Name().toUtf8() +
           "\" width=\"" + width + "\" height=\"" + height + "\" viewBox=\"0 0 " + width + ' ' + height +
           "\">\n<title>LockScope</title>\n"
           "<defs>\n" +
           m_clips + "</defs>\n" + m_body + "</svg>\n";
}

void SvgComposer::addWidget(QWidget& widget, const QPoint& place)
{
    const QByteArray id = QByteArray::number(m_next++);
    const QRect box = widget.rect();
    m_clips += "<clipPath id=\"clip" + id + "\"><rect x=\"0\" y=\"0\" width=\"" +
               QByteArray::number(box.width()) + "\" height=\"" + QByteArray::number(box.height()) +
               "\"/></clipPath>\n";
    m_body += "<g transform=\"translate(" + QByteArray::number(place.x()) + ',' +
              QByteArray::number(place.y()) + ")\" clip-path=\"url(#clip" + id + ")\">\n";
    addDrawing(widget, id);
    for (QObject* child : widget.children()) {
        auto* part = qobject_cast<QWidget*>(child);
        if (part && !part->isWindow() && part->isVisibleTo(&widget) && part->geometry().intersects(box)) {
            addWidget(*part, part->pos());
        }
    }
    m_body += "</g>\n";
}

void SvgComposer::addDrawing(QWidget& widget, const QByteArray& id)
{
    ClippingSvgDevice svg(widget.size(), id);
    {
        QPainter painter(&svg);
        const bool window = widget.isWindow();
        widget.render(&painter, {}, {}, window ? QWidget::DrawWindowBackground : QWidget::RenderFlags());
    }
    m_clips += svg.clips();
    m_body += svg.body();
}

} // namespace

QByteArray svgOf(QWidget& widget) { return SvgComposer(widget).bytes(); }

} // namespace lockscope::ui
