#include "ui/field/duration_chart.h"

#include "ui/history/history_text.h"
#include "ui/models/format.h"
#include "ui/models/retranslate.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockscope::ui {

namespace {
constexpr int kBarsInDecade = 3;
constexpr int kMaxDecades = 9; // up to eleven days
constexpr int kChartHeight = 116, kLeastHeight = 92, kLeastWidth = 200;
constexpr int kHeadHeight = 20, kAxisHeight = 18, kBarGap = 2;

// The bar of this many ms, from 1 ms on; what took less is in the first.
int barOf(std::int64_t ms)
{
    const int bar = static_cast<int>(
        std::floor(std::log10(static_cast<double>(std::max<std::int64_t>(ms, 1))) * kBarsInDecade + 1e-9));
    return std::min(bar, kMaxDecades * kBarsInDecade - 1);
}
} // namespace

DurationChart::DurationChart(Theme* theme, std::function<QString()> title, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_title(std::move(title))
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    connect(theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    onRetranslate(this, [this] { describe(); });
    hide();
}

void DurationChart::show(std::vector<std::int64_t> milliseconds)
{
    std::sort(milliseconds.begin(), milliseconds.end());
    if (m_milliseconds != milliseconds) {
        m_milliseconds = std::move(milliseconds);
        describe();
    }
    setVisible(!m_milliseconds.empty());
}

void DurationChart::describe()
{
    setAccessibleName(m_title());
    setAccessibleDescription(captions().value(0));
    update();
}

QSize DurationChart::sizeHint() const { return {2 * kLeastWidth, kChartHeight}; }
QSize DurationChart::minimumSizeHint() const { return {kLeastWidth, kLeastHeight}; }

QStringList DurationChart::captions() const
{
    if (m_milliseconds.empty())
        return {};
    const auto share = [this](std::size_t hundredths) { // the least that so many of a hundred do not exceed
        return millisecondsText(m_milliseconds[(m_milliseconds.size() * hundredths + 99) / 100 - 1]);
    };
    return {
        tr("p50 %1 · p99 %2 · longest %3").arg(share(50), share(99), millisecondsText(m_milliseconds.back())),
        tr("p50 %1 · p99 %2").arg(share(50), share(99)), tr("p50 %1").arg(share(50))};
}

DurationChart::Bars DurationChart::barsOf(const std::vector<std::int64_t>& milliseconds)
{
    Bars bars;
    if (milliseconds.empty())
        return bars;
    const auto [least, most] = std::minmax_element(milliseconds.begin(), milliseconds.end());
    bars.firstDecade = barOf(*least) / kBarsInDecade;
    bars.decades = barOf(*most) / kBarsInDecade - bars.firstDecade + 1;
    bars.counts.assign(static_cast<std::size_t>(bars.decades) * kBarsInDecade, 0);
    for (const std::int64_t ms : milliseconds)
        ++bars.counts[static_cast<std::size_t>(barOf(ms) - bars.firstDecade * kBarsInDecade)];
    return bars;
}

void DurationChart::paintEvent(QPaintEvent*)
{
    const Bars bars = barsOf(m_milliseconds);
    if (bars.counts.empty())
        return;
    const Palette& palette = m_theme->palette();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(m_theme->fonts().title);
    painter.setPen(palette.text);
    const QRect head(0, 0, width(), kHeadHeight);
    painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, m_title());
    const int titleWidth = painter.fontMetrics().horizontalAdvance(m_title());
    painter.setFont(m_theme->fonts().small);
    painter.setPen(palette.textMuted);
    const QFontMetrics metrics = painter.fontMetrics();
    for (const QString& caption : captions())
        if (metrics.horizontalAdvance(caption) <= width() - titleWidth - 8) {
            painter.drawText(head, Qt::AlignRight | Qt::AlignVCenter, caption);
            break;
        }
    const int floor = height() - kAxisHeight, room = floor - kHeadHeight - 4;
    const double step = static_cast<double>(width()) / static_cast<double>(bars.counts.size());
    const auto most = static_cast<double>(*std::max_element(bars.counts.begin(), bars.counts.end()));
    painter.setPen(palette.grid);
    painter.drawLine(0, floor, width(), floor);
    for (std::size_t i = 0; i < bars.counts.size(); ++i) {
        if (bars.counts[i] == 0)
            continue;
        const double tall = std::max(2.0, room * static_cast<double>(bars.counts[i]) / most);
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette.client(0));
        painter.drawRoundedRect(
            QRectF(static_cast<double>(i) * step + kBarGap, floor - tall, step - 2 * kBarGap, tall), 2, 2);
    }
    painter.setPen(palette.textMuted);
    for (int decade = 0; decade < bars.decades; ++decade) {
        const auto begin = static_cast<std::int64_t>(std::pow(10.0, bars.firstDecade + decade) + 0.5);
        const int left = static_cast<int>(step * kBarsInDecade * decade);
        painter.drawText(QRect(left, floor + 1, static_cast<int>(step * kBarsInDecade), kAxisHeight),
                         Qt::AlignLeft | Qt::AlignVCenter, millisecondsText(begin));
    }
}

} // namespace lockscope::ui
