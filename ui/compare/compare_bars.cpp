#include "ui/compare/compare_bars.h"

#include "ui/texts/compare_words.h"

#include <QPainter>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kValueWidth = 84; // room for the value behind the bar
constexpr int kMaxThickness = 28;
constexpr qreal kMinLength = 4;

// The measure with the greatest ratio; the wake-ups if no measure has a ratio.
const replay::ComparisonRow& largestDifference(const replay::Comparison& comparison)
{
    const auto far = [](const replay::ComparisonRow& row) {
        return row.ratio ? std::max(*row.ratio, 1 / *row.ratio) : 0.0;
    };
    const auto most =
        std::max_element(comparison.rows.begin(), comparison.rows.end(),
                         [&](const auto& one, const auto& other) { return far(one) < far(other); });
    return most->ratio ? *most : comparison.of(replay::Measure::wakeUpsPerRelease);
}

} // namespace

CompareBars::CompareBars(const replay::Comparison& comparison, QString a, QString b, Theme* theme,
                         QWidget* parent)
    : Canvas(theme, parent)
    , m_row(largestDifference(comparison))
    , m_a(std::move(a))
    , m_b(std::move(b))
{
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(compare_words::title(m_row.measure));
    setAccessibleDescription(tr("%1: %2; %3: %4")
                                 .arg(m_a, compare_words::value(m_row.measure, m_row.a), m_b,
                                      compare_words::value(m_row.measure, m_row.b)));
}

void CompareBars::draw(QPainter& painter, const QRegion&)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(theme()->fonts().title);
    painter.setPen(theme()->palette().text);
    const int head = painter.fontMetrics().height() + 6;
    painter.drawText(
        QRect(0, 0, width(), head), Qt::AlignLeft | Qt::AlignTop,
        painter.fontMetrics().elidedText(compare_words::title(m_row.measure), Qt::ElideRight, width()));
    const int high = (height() - head) / 2;
    const QRect upper(0, head, width(), high);
    drawBar(painter, upper, m_a, m_row.a, barColour(replay::Better::a));
    drawBar(painter, upper.translated(0, high), m_b, m_row.b, barColour(replay::Better::b));
}

QColor CompareBars::barColour(replay::Better side) const
{
    const Palette& palette = theme()->palette();
    const auto& value = side == replay::Better::a ? m_row.a : m_row.b;
    if (m_row.better == replay::Better::neither)
        return palette.textFaint;
    if (m_row.better == side)
        return palette.holds;
    const bool isWasted = m_row.measure == replay::Measure::wakeUpsPerRelease && value.value_or(0) > 1;
    return isWasted ? palette.stale : palette.waits;
}

void CompareBars::drawBar(QPainter& painter, const QRect& place, const QString& label,
                          const std::optional<double>& value, const QColor& colour) const
{
    const Palette& palette = theme()->palette();
    painter.setFont(theme()->fonts().small);
    painter.setPen(palette.textMuted);
    const int line = painter.fontMetrics().height();
    painter.drawText(QRect(place.left(), place.top(), place.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(label, Qt::ElideMiddle, place.width()));
    const int thick = std::clamp(place.height() - line - 10, 8, kMaxThickness);
    const double most = std::max({m_row.a.value_or(0), m_row.b.value_or(0), 1e-9});
    const qreal length = std::max(kMinLength, (place.width() - kValueWidth) * value.value_or(0) / most);
    const QRectF bar(place.left(), place.top() + line + 3, length, thick);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRoundedRect(bar, 3, 3);
    painter.setFont(theme()->fonts().title);
    painter.setPen(palette.text);
    painter.drawText(QRectF(bar.right() + 9, bar.top(), kValueWidth, thick), Qt::AlignLeft | Qt::AlignVCenter,
                     compare_words::value(m_row.measure, value));
}

} // namespace lockscope::ui

#include "moc_compare_bars.cpp"
