#include "ui/timeline/overview_strip.h"

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {
constexpr int kPitch = 5; // pixels of a bar and the gap after it
constexpr int kBar = 4;
constexpr int kNarrowestWindow = 8;
constexpr int kHeldPart = 65; // percent of the height for a step that was held throughout
} // namespace

void OverviewStrip::clear()
{
    m_steps.clear();
    m_end = TraceTime::zero();
    m_width = -1;
    m_age.invalidate();
}

bool OverviewStrip::update(const replay::Timeline& timeline, TraceTime runEnd, int width)
{
    if (width == m_width && m_end == runEnd)
        return true;
    if (width == m_width && m_age.isValid() && m_age.elapsed() < kRefreshMilliseconds)
        return false;
    m_width = width;
    m_end = runEnd;
    // The bars end with the last event; time goes on after it while nothing happens.
    const double share = runEnd > TraceTime::zero() ? static_cast<double>(timeline.end().count()) /
                                                          static_cast<double>(runEnd.count())
                                                    : 0.0;
    m_steps = timeline.overview(static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * width / kPitch));
    m_age.start();
    ++m_queries;
    return true;
}

QRect OverviewStrip::windowRect(const QRect& strip, TraceTime begin, TraceTime end) const
{
    if (m_end <= TraceTime::zero())
        return {};
    int left = xAt(strip, begin);
    int right = xAt(strip, end);
    if (right - left < kNarrowestWindow) {
        left = std::clamp((left + right - kNarrowestWindow) / 2, strip.left(),
                          std::max(strip.left(), strip.right() + 1 - kNarrowestWindow));
        right = left + kNarrowestWindow;
    }
    return QRect(left, strip.top(), right - left, strip.height());
}

int OverviewStrip::xAt(const QRect& strip, TraceTime time) const
{
    const double share =
        m_end > TraceTime::zero() ? static_cast<double>(time.count()) / static_cast<double>(m_end.count()) : 0.0;
    return strip.left() + static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * strip.width()));
}

TraceTime OverviewStrip::timeAt(const QRect& strip, int x) const
{
    if (strip.width() <= 0)
        return {};
    const double share = std::clamp(static_cast<double>(x - strip.left()) / strip.width(), 0.0, 1.0);
    return TraceTime(static_cast<Duration::rep>(share * static_cast<double>(m_end.count())));
}

void OverviewStrip::draw(QPainter& painter, const Palette& palette, const QRect& strip, TraceTime begin,
                         TraceTime end) const
{
    if (strip.isEmpty())
        return;
    painter.fillRect(strip, palette.panel);
    const int most = strip.height() - 8;
    const int base = strip.bottom() - 3;
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        const replay::Timeline::Overview& step = m_steps[i];
        const int x = strip.left() + static_cast<int>(i) * kPitch;
        const auto height = [](float share, int full) {
            return share <= 0 ? 0 : std::max(2, static_cast<int>(std::lround(std::min(share, 1.0F) * full)));
        };
        const int held = height(step.held, most * kHeldPart / 100); // waiting stands on top of it
        const int waiting = height(step.waiting, most - most * kHeldPart / 100);
        painter.fillRect(x, base - held + 1, kBar, held, palette.holdsSoft);
        painter.fillRect(x, base - held - waiting + 1, kBar, waiting, palette.waitsSoft);
        if (step.stale)
            painter.fillRect(x, strip.top() + 2, kBar, 5, palette.stale);
    }
    const QRect window = windowRect(strip, begin, end);
    if (window.isEmpty())
        return;
    QColor fill = palette.accent;
    fill.setAlpha(55);
    painter.fillRect(window, fill);
    painter.setPen(palette.accent);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(window.adjusted(0, 0, -1, -1));
}

} // namespace lockscope::ui
