#include "ui/shell/export/svg_picture.h"

#include "ui/shell/export/forwarding_engine.h"

#include <QBuffer>
#include <QFontInfo>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QWidget>

#include <memory>
#include <vector>

namespace lockscope::ui {

namespace {

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

// Onto a painter on a QSvgGenerator. Each change of the clip starts a new generator, whose output becomes a
// group with that clip. Each text gets the length measured here, so that another font does not widen it.
class SvgEngine final : public ForwardingEngine
{
public:
    SvgEngine(const QSize& size, QByteArray prefix) // `prefix`: of all ids in the output
        : ForwardingEngine(kFeatures)
        , m_size(size)
        , m_prefix(std::move(prefix))
    {}
    // Valid once no painter is active.
    const QByteArray& clips() const { return m_clips; } // for the defs
    const QByteArray& body() const { return m_body; }

    bool end() override
    {
        finish();
        return true;
    }
    void drawTextItem(const QPointF& at, const QTextItem& item) override;

protected:
    QPainter& painter() override;
    void onStateChanged() override
    {
        if (m_fragment)
            applyState(m_fragment->painter);
    }

private:
    // Everything drawn under one clip.
    struct Fragment
    {
        Clip clip;
        QBuffer buffer;
        QSvgGenerator generator;
        QPainter painter;
        std::vector<double> textWidths;
    };

    void finish();

    QSize m_size;
    QByteArray m_prefix, m_clips, m_body;
    std::unique_ptr<Fragment> m_fragment;
    int m_fragments = 0;
};

// The painter of the fragment with the current clip.
QPainter& SvgEngine::painter()
{
    const Clip now = clip();
    if (m_fragment && m_fragment->clip == now)
        return m_fragment->painter;
    finish();
    m_fragment = std::make_unique<Fragment>();
    m_fragment->clip = now;
    m_fragment->generator.setOutputDevice(&m_fragment->buffer);
    m_fragment->generator.setSize(m_size);
    m_fragment->generator.setViewBox(QRect(QPoint(), m_size));
    m_fragment->generator.setResolution(VectorDevice::kDotsPerInch);
    m_fragment->painter.begin(&m_fragment->generator);
    applyState(m_fragment->painter);
    return m_fragment->painter;
}

void SvgEngine::finish()
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

void SvgEngine::drawTextItem(const QPointF& at, const QTextItem& item)
{
    QPainter& to = painter();
    if (pen().style() != Qt::NoPen) // without a pen the generator writes no text element
        m_fragment->textWidths.push_back(item.width());
    to.drawTextItem(at, item);
}

// Draws each widget into a group with its position and its clip.
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
    for (QWidget* part : shownParts(widget))
        addWidget(*part, part->pos());
    m_body += "</g>\n";
}

void SvgComposer::addDrawing(QWidget& widget, const QByteArray& id)
{
    SvgEngine svg(widget.size(), id);
    drawAlone(widget, svg);
    m_clips += svg.clips();
    m_body += svg.body();
}

} // namespace

QByteArray svgOf(QWidget& widget) { return SvgComposer(widget).bytes(); }

} // namespace lockscope::ui
