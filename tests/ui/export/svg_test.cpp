// A widget as SVG: clips and the lengths of texts are as on the screen, which the generator does not see to.
#include "ui/shell/export/svg_picture.h"

#include <QLocale>
#include <QPainter>
#include <QRegularExpression>
#include <QWidget>

#include <gtest/gtest.h>

#include <functional>

namespace lockscope::ui {
namespace {

class Drawing : public QWidget
{
public:
    explicit Drawing(std::function<void(QPainter&)> draw)
        : m_draw(std::move(draw))
    {
        resize(200, 100);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        m_draw(painter);
    }

private:
    std::function<void(QPainter&)> m_draw;
};

QString svgText(QWidget& widget) { return QString::fromUtf8(svgOf(widget)); }

// The path of the clip of the group that this is drawn in; empty when it is in none of its own.
QString clipOf(const QString& svg, const QString& drawn)
{
    const auto at = svg.indexOf(drawn);
    const auto group = svg.lastIndexOf("<g clip-path=", at);
    if (at < 0 || group < 0)
        return {};
    static const QRegularExpression tag(QStringLiteral("<(/?)g[ >]"));
    const QString between = svg.mid(group, at - group);
    int depth = 0;
    for (auto each = tag.globalMatch(between); each.hasNext();) {
        depth += each.next().captured(1).isEmpty() ? 1 : -1;
        if (depth == 0)
            return {}; // the group is closed before
    }
    static const QRegularExpression reference(QStringLiteral("url\\(#([^)]*)\\)"));
    const QString id = reference.match(between).captured(1);
    const QRegularExpression clip(QStringLiteral("id=\"%1\"><path d=\"([^\"]*)\"").arg(id));
    return clip.match(svg).captured(1);
}

// Bars of the timeline stood over its names, and a card was as coloured as the strip at its edge.
TEST(Svg, WhatIsDrawnUnderAClipIsClipped)
{
    Drawing drawing([](QPainter& painter) {
        painter.save();
        painter.setClipRect(QRectF(10, 10, 20, 20));
        painter.fillRect(QRectF(0, 0, 150, 90), QColor(0x11, 0x22, 0x33));
        painter.restore();
        painter.fillRect(QRectF(40, 40, 5, 5), QColor(0x44, 0x55, 0x66));
    });
    const QString svg = svgText(drawing);
    EXPECT_EQ(clipOf(svg, "#112233").toStdString(), "M10,10 L30,10 L30,30 L10,30 L10,10");
    EXPECT_TRUE(svg.contains("#445566"));
    EXPECT_EQ(clipOf(svg, "#445566").toStdString(), "") << "the clip is over";
}

TEST(Svg, AFontThatIsNotThereHasOneThatStandsForIt)
{
    Drawing drawing([](QPainter& painter) {
        QFont fixed(QStringLiteral("DejaVu Sans Mono"));
        fixed.setStyleHint(QFont::Monospace);
        painter.drawText(QPointF(10, 50), "get");
        painter.setFont(fixed);
        painter.drawText(QPointF(10, 80), "set");
    });
    static const QRegularExpression alone(QStringLiteral("font-family=\"[^\",]*\""));
    const QString svg = svgText(drawing);
    EXPECT_FALSE(svg.contains(alone)) << alone.match(svg).captured().toStdString();
    EXPECT_TRUE(svg.contains(", sans-serif\""));
    EXPECT_TRUE(svg.contains("xml:lang=\"" + QLocale().bcp47Name() + "\""));
}

TEST(Svg, ATextIsAsLongAsHereInAnyFont)
{
    Drawing drawing([](QPainter& painter) { painter.drawText(QPointF(10, 50), "getChildren"); });
    static const QRegularExpression length(QStringLiteral("<text textLength=\"([0-9.]+)\""));
    const QRegularExpressionMatch match = length.match(svgText(drawing));
    ASSERT_TRUE(match.hasMatch());
    EXPECT_NEAR(match.captured(1).toDouble(), QFontMetricsF(drawing.font()).horizontalAdvance("getChildren"),
                2);
}

} // namespace
} // namespace lockscope::ui
