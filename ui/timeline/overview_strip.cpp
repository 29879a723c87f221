#include "ui/timeline/overview_strip.h"

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {
constexpr int kPitch = 5; // pixels of a bar and the gap after it
constexpr int kBar = 4;
constexpr int kMinWindowWidth = 8;
constexpr int kHeldPart = 65; // percent of the height for a step that was held throughout
constexpr int kPressed = 10;  // maximum pixels for the time before the first client

double share(Duration of, Duration all)
{
    return all <= Duration::zero()
               ? 0.0
               : std::clamp(static_cast<double>(of.count()) / static_cast<double>(all.count()), 0.0, 1.0);
}

// What lasts after the last event.
replay::Timeline::Overview stateAtEnd(const replay::Timeline& timeline)
{
    replay::Timeline::Overview now;
    for (std::size_t lane = 0; lane < timeline.laneCount(); ++lane) {
        const replay::Span span = timeline.spanAt(ClientId{static_cast<std::uint32_t>(lane)}, timeline.end());
        if (span.end != kForever)
            continue;
        now.held = span.kind == replay::SpanKind::holding ? 1 : now.held;
        now.waiting = span.kind == replay::SpanKind::waiting ? 1 : now.waiting;
        now.stale |= span.kind == replay::SpanKind::stale;
    }
    return now;
}

} // namespace

void OverviewStrip::clear()
{
    m_steps.clear();
    m_end = TraceTime::zero();
    m_width = -1;
    m_age.invalidate();
}

bool OverviewStrip::update(const replay::Timeline& timeline, TraceTime start, TraceTime runEnd, int width)
{
    if (width == m_width && m_end == runEnd)
        return true;
    if (width == m_width && m_age.isValid() && m_age.elapsed() < kRefreshMilliseconds)
        return false;
    m_width = width;
    m_end = runEnd;
    // At first, nearly all of a run precedes its first client: this bounds the number of steps.
    m_start = std::min(start, std::min(runEnd, timeline.end()) / 8 * 7);
    // While time passes without events, what the last one left goes on, as in the lanes.
    const double bars = share(timeline.end() - m_start, runEnd - m_start) * (width - startX(width)) / kPitch;
    const double before = share(m_start, timeline.end());
    const auto steps = static_cast<std::size_t>(bars / (1 - before));
    m_steps = timeline.overview(steps);
    m_steps.erase(m_steps.begin(), m_steps.begin() + std::lround(before * static_cast<double>(steps)));
    const auto all = static_cast<std::size_t>((width - startX(width)) / kPitch);
    if (m_steps.size() < all)
        m_steps.resize(all, stateAtEnd(timeline));
    m_age.start();
    return true;
}

// Its share of the run, limited to a few pixels.
int OverviewStrip::startX(int width) const
{
    return std::min(kPressed, static_cast<int>(std::lround(share(m_start, m_end) * width)));
}

QRect OverviewStrip::compressedRect(const QRect& strip) const
{
    const int width = startX(strip.width());
    return width == kPressed ? QRect(strip.left(), strip.top(), width, strip.height()) : QRect();
}

QRect OverviewStrip::windowRect(const QRect& strip, TraceTime begin, TraceTime end) const
{
    if (m_end <= TraceTime::zero())
        return {};
    int left = xAt(strip, begin);
    int right = xAt(strip, end);
    if (right - left < kMinWindowWidth) {
        left = std::clamp((left + right - kMinWindowWidth) / 2, strip.left(),
                          std::max(strip.left(), strip.right() + 1 - kMinWindowWidth));
        right = left + kMinWindowWidth;
    }
    return QRect(left, strip.top(), right - left, strip.height());
}

int OverviewStrip::xAt(const QRect& strip, TraceTime time) const
{
    const int first = startX(strip.width());
    const double x = time < m_start
                         ? share(time, m_start) * first
                         : first + share(time - m_start, m_end - m_start) * (strip.width() - first);
    return strip.left() + static_cast<int>(std::lround(x));
}

TraceTime OverviewStrip::timeAt(const QRect& strip, int x) const
{
    const int first = startX(strip.width());
    const int in = x - strip.left();
    const auto part = [](Duration of, int pixels, int all) {
        const double share = all > 0 ? std::clamp(static_cast<double>(pixels) / all, 0.0, 1.0) : 0.0;
        return Duration(static_cast<Duration::rep>(share * static_cast<double>(of.count())));
    };
    return in < first ? part(m_start, in, first)
                      : m_start + part(m_end - m_start, in - first, strip.width() - first);
}

void OverviewStrip::draw(QPainter& painter, const Palette& palette, const QRect& strip, TraceTime begin,
                         TraceTime end) const
{
    if (strip.isEmpty())
        return;
    painter.fillRect(strip, palette.panel);
    const int most = strip.height() - 8;
    const int base = strip.bottom() - 3;
    const int first = strip.left() + startX(strip.width());
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        const replay::Timeline::Overview& step = m_steps[i];
        const int x = first + static_cast<int>(i) * kPitch;
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
    if (const QRect before = compressedRect(strip); !before.isEmpty()) {
        painter.setPen(QPen(palette.textFaint, 1, Qt::DotLine));
        for (const int x : {before.left() + 3, before.left() + 6})
            painter.drawLine(x, before.top() + 4, x, before.bottom() - 3);
    }
    const QRect window = windowRect(strip, begin, end);
    if (window.isEmpty())
        return;
    painter.fillRect(window, withAlpha(palette.accent, 55));
    painter.setPen(palette.accent);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(window.adjusted(0, 0, -1, -1));
}

} // namespace lockscope::ui
