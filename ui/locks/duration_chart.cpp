#include "ui/locks/duration_chart.h"

#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"
#include "ui/texts/history_text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockscope::ui {

namespace {
using history::DurationHistogram;
constexpr std::size_t kBarsInDecade = 3;
constexpr int kChartHeight = 116, kMinHeight = 92, kMinWidth = 160;
constexpr int kHeadHeight = 20, kAxisHeight = 18, kBarGap = 2, kLabelGap = 8;
} // namespace

DurationChart::DurationChart(Theme* theme, std::function<QString()> title, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_title(std::move(title))
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    theme->onChange(this, [this] { update(); });
    onRetranslate(this, [this] { describe(); });
    hide();
}

void DurationChart::show(const DurationHistogram& times)
{
    if (m_times != times) {
        m_times = times;
        describe();
    }
    setVisible(m_times.count() > 0);
}

void DurationChart::describe()
{
    setAccessibleName(m_title());
    setAccessibleDescription(captions().value(0));
    update();
}

QSize DurationChart::sizeHint() const { return {2 * kMinWidth, kChartHeight}; }
QSize DurationChart::minimumSizeHint() const { return {kMinWidth, kMinHeight}; }

QStringList DurationChart::captions() const
{
    if (m_times.count() == 0)
        return {};
    const auto share = [this](double part) { return millisecondsText(m_times.percentileMs(part)); };
    return {tr("p50 %1 · p99 %2 · longest %3")
                .arg(share(0.5), share(0.99), millisecondsText(m_times.longestMs())),
            tr("p50 %1 · p99 %2").arg(share(0.5), share(0.99)), tr("p50 %1").arg(share(0.5))};
}

DurationChart::Bars DurationChart::barsOf(const DurationHistogram& times)
{
    Bars bars;
    if (times.count() == 0)
        return bars;
    std::size_t first = DurationHistogram::kBars, last = 0;
    for (std::size_t i = 0; i < DurationHistogram::kBars; ++i)
        if (times.bar(i) > 0) {
            first = std::min(first, i);
            last = i;
        }
    bars.firstDecade = static_cast<int>(first / kBarsInDecade);
    bars.decades = static_cast<int>(last / kBarsInDecade) - bars.firstDecade + 1;
    const std::size_t begin = first / kBarsInDecade * kBarsInDecade,
                      end = (last / kBarsInDecade + 1) * kBarsInDecade;
    for (std::size_t i = begin; i < end; ++i)
        bars.counts.push_back(times.bar(i));
    return bars;
}

void DurationChart::paintEvent(QPaintEvent*)
{
    const Bars bars = barsOf(m_times);
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
    for (const AxisLabel& label : axisLabels())
        painter.drawText(QRect(label.left, floor + 1, label.width, kAxisHeight),
                         Qt::AlignLeft | Qt::AlignVCenter, label.text);
}

std::vector<DurationChart::AxisLabel> DurationChart::axisLabels() const
{
    const Bars bars = barsOf(m_times);
    if (bars.counts.empty())
        return {};
    const QFontMetrics metrics(m_theme->fonts().small, this);
    const double decadeWidth = static_cast<double>(width()) / bars.decades;
    std::vector<AxisLabel> labels;
    for (int decade = 0; decade < bars.decades; ++decade) {
        const auto begin = static_cast<std::int64_t>(std::pow(10.0, bars.firstDecade + decade) + 0.5);
        const QString text = millisecondsText(begin);
        labels.push_back({static_cast<int>(decadeWidth * decade), metrics.horizontalAdvance(text), text});
    }
    const int widest =
        std::max_element(labels.begin(), labels.end(), [](const AxisLabel& a, const AxisLabel& b) {
            return a.width < b.width;
        })->width;
    const auto each = static_cast<std::size_t>(std::ceil((widest + kLabelGap) / decadeWidth));
    std::vector<AxisLabel> shown;
    for (std::size_t i = 0; i < labels.size(); i += each)
        shown.push_back(labels[i]);
    return shown;
}

} // namespace lockscope::ui

#include "moc_duration_chart.cpp"
