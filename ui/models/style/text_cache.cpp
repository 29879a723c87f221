#include "ui/models/style/text_cache.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPaintDevice>
#include <QScreen>
#include <QTextOption>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr qsizetype kMaxCachedTexts = 3000; // texts: several windows full of them
constexpr double kEndless = 1e6;
// The resolution of widgets. An exported picture may have another.
int defaultDpi() { return static_cast<int>(QGuiApplication::primaryScreen()->logicalDotsPerInchY()); }
constexpr double kSpare = 0.5; // a text may be wider by this much than its box: boxes are whole pixels

} // namespace

TextCache::TextCache()
    : m_cache(kMaxCachedTexts)
{}

void TextCache::layOut(ShapedText& words, const Key& key)
{
    QTextLayout& layout = words.layout;
    QTextOption option;
    option.setWrapMode(key.fit == Fit::wrapped ? QTextOption::WrapAtWordBoundaryOrAnywhere
                                               : QTextOption::NoWrap);
    layout.setTextOption(option);
    layout.setCacheEnabled(true);
    words.width = words.height = 0;
    int lines = 0;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(key.fit == Fit::wrapped ? key.width : kEndless);
        line.setPosition(QPointF(0, words.height));
        words.height += line.height();
        words.width = std::max(words.width, line.naturalTextWidth());
        words.lastFrom = line.textStart();
        words.whole = line.textStart() + line.textLength() >= layout.text().size();
        if (++lines == key.maxLines)
            break;
    }
    layout.endLayout();
}

const TextCache::ShapedText& TextCache::shapedText(Key key)
{
    if (const ShapedText* known = m_cache.object(key))
        return *known;
    ++m_shaped;
    auto* made = new ShapedText;
    made->layout.setFont(key.font);
    made->layout.setText(key.fit == Fit::wrapped ? key.text : QString(key.text).replace(u'\n', u' '));
    layOut(*made, key);
    const bool cut = key.fit == Fit::elided ? made->width > key.width || key.text.contains(kVariantSeparator)
                                            : !made->whole;
    if (cut && key.fit != Fit::whole) {
        const QString text = made->layout.text();
        made->layout.setText(
            text.left(made->lastFrom) +
            QFontMetricsF(key.font).elidedText(text.mid(made->lastFrom), key.elided, key.width));
        layOut(*made, key);
    }
    m_cache.insert(std::move(key), made);
    return *made;
}

double TextCache::width(const QFont& font, const QString& text)
{
    return shapedText({text, font, defaultDpi(), Fit::whole, 0, 1}).width;
}

QString TextCache::fitting(const QFont& font, const QString& variants, double width)
{
    const QStringList all = variants.split(kVariantSeparator);
    for (const QString& each : all)
        if (this->width(font, each) <= width)
            return each;
    return all.back();
}

void TextCache::draw(QPainter& painter, const QRectF& box, Qt::Alignment alignment, const QString& text,
                     Qt::TextElideMode elided)
{
    if (box.width() <= 0 || text.isEmpty())
        return;
    const int dpi = painter.device()->logicalDpiY();
    const double room = box.width() + kSpare;
    // Most texts fit, and were measured for their boxes: they are shaped once, however wide these are.
    const ShapedText* drawn = text.contains(kVariantSeparator)
                                  ? nullptr
                                  : &shapedText({text, painter.font(), dpi, Fit::whole, 0, 1});
    if (!drawn || drawn->width > room)
        drawn = &shapedText({text, painter.font(), dpi, Fit::elided, room, 1, elided});
    const double left = alignment & Qt::AlignRight     ? box.right() - drawn->width
                        : alignment & Qt::AlignHCenter ? box.center().x() - drawn->width / 2
                                                       : box.left();
    const double top = alignment & Qt::AlignTop      ? box.top()
                       : alignment & Qt::AlignBottom ? box.bottom() - drawn->height
                                                     : box.center().y() - drawn->height / 2;
    drawn->layout.draw(&painter, QPointF(left, top));
}

double TextCache::drawWrapped(QPainter& painter, const QRectF& box, const QString& text, int maxLines)
{
    if (text.isEmpty() || maxLines < 1)
        return 0;
    const ShapedText& drawn = shapedText(
        {text, painter.font(), painter.device()->logicalDpiY(), Fit::wrapped, box.width(), maxLines});
    drawn.layout.draw(&painter, box.topLeft());
    return drawn.height;
}

double TextCache::wrappedHeight(const QFont& font, const QString& text, double width)
{
    return shapedText({text, font, defaultDpi(), Fit::wrapped, width, kAllLines}).height;
}

} // namespace lockscope::ui
