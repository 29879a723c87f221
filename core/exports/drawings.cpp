#include "core/exports/drawings.h"

#include "core/exports/text_format.h"
#include "core/replay/findings/wording.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <vector>

namespace lockscope::exports {

namespace {

constexpr int kWidth = 960, kNames = 130, kLane = 22, kBar = 14, kAxis = 24;
constexpr int kPlot = kWidth - kNames - 10;
constexpr int kTicks = 8, kCounts = 3; // most ticks on an axis
constexpr int kBars = 40, kBarsHeight = 140, kBarsTop = 8, kBarsLeft = 56;
constexpr int kBarsPlot = kWidth - kBarsLeft - 10;
constexpr int kHalfLabel = 24;

std::string_view classOf(replay::SpanKind kind)
{
    constexpr std::array<std::string_view, 7> kClasses{"",          "waiting", "releasing", "holding",
                                                       "suspended", "frozen",  "stale"};
    return kClasses[static_cast<std::size_t>(kind)];
}

// The smallest of 1, 2 and 5 times a power of ten that divides `whole` into at most `parts` parts.
std::int64_t roundStep(std::int64_t whole, int parts)
{
    std::int64_t power = 1;
    for (;; power *= 10)
        for (const std::int64_t factor : {1, 2, 5})
            if (power * factor >= whole / parts + (whole % parts > 0 ? 1 : 0))
                return power * factor;
}

std::string axis(int left, int width, int top, Duration upTo)
{
    std::string text;
    const Duration step(roundStep(std::max<std::int64_t>(upTo.count(), 1), kTicks));
    for (Duration at{}; at <= upTo; at += step) {
        const double share =
            static_cast<double>(at.count()) / static_cast<double>(std::max<std::int64_t>(upTo.count(), 1));
        const double x = left + width * share;
        const std::string_view anchor = x < left + kHalfLabel           ? "start"
                                        : x > left + width - kHalfLabel ? "end"
                                                                        : "middle";
        text += fmt::format("<line class=\"tick\" x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\"/>"
                            "<text class=\"quiet\" x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"{4}\">{5}</text>\n",
                            x, top, top + 4, top + 17, anchor,
                            html(at == Duration::zero() ? "0" : replay::wording::duration(at)));
    }
    return text;
}

class Lanes
{
public:
    explicit Lanes(const FoldedTrace& folded)
        : m_timeline(folded.timeline)
        , m_end(std::max(folded.timeline.end(), Duration(1)))
        , m_step(std::max(m_end / kPlot, Duration(1)))
    {}

    std::string lane(ClientId client, const std::string& name, int top)
    {
        std::string text = fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", kNames - 10,
                                       top + kBar - 3, html(name, 18));
        m_spans.clear();
        m_timeline.spans(client, TraceTime::zero(), m_end, m_step, m_spans, replay::LaneRow::releases);
        m_timeline.spans(client, TraceTime::zero(), m_end, m_step, m_spans);
        for (const replay::Span& span : m_spans) {
            const bool thin = span.kind != replay::SpanKind::holding;
            text += bar(span, thin ? top + 4 : top, thin ? kBar - 8 : kBar);
        }
        m_spans.clear();
        m_timeline.spans(client, TraceTime::zero(), m_end, m_step, m_spans, replay::LaneRow::overlays);
        for (const replay::Span& span : m_spans)
            text += bar(span, top - 2, kBar + 4);
        return text;
    }

private:
    double place(TraceTime at) const
    {
        const double share = static_cast<double>(std::clamp(at, TraceTime::zero(), m_end).count()) /
                             static_cast<double>(m_end.count());
        return kNames + kPlot * share;
    }
    std::string bar(const replay::Span& span, int top, int height) const
    {
        if (span.kind == replay::SpanKind::none)
            return {};
        const double left = place(span.begin);
        return fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\"/>\n",
                           classOf(span.kind), left, top, std::max(1.0, place(span.end) - left), height);
    }

    const replay::Timeline& m_timeline;
    TraceTime m_end;
    Duration m_step;
    std::vector<replay::Span> m_spans;
};

} // namespace

std::string lanesDrawing(const FoldedTrace& folded)
{
    const std::size_t shown = std::min(folded.state.clients.size(), kMaxLanes);
    const int height = static_cast<int>(shown) * kLane + kAxis + 8;
    std::string text =
        fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Timeline\">\n"
                    "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
                    "patternTransform=\"rotate(45)\"><rect class=\"hatch\" width=\"2.5\" "
                    "height=\"6\"/></pattern></defs>\n",
                    kWidth, height);
    Lanes lanes(folded);
    for (std::size_t i = 0; i < shown; ++i)
        text += lanes.lane(folded.state.clients[i].id, clientName(folded.state, folded.state.clients[i].id),
                           static_cast<int>(i) * kLane + 4);
    return text + axis(kNames, kPlot, height - kAxis, folded.timeline.end()) + "</svg>\n";
}

std::string handoffDrawing(const replay::Histogram& handoff)
{
    if (handoff.count() == 0)
        return {};
    const Duration upTo = std::max(handoff.percentile(99) * 11 / 10, Duration(10'000));
    const std::vector<std::uint64_t> bars = handoff.bins(upTo, kBars);
    const std::uint64_t most = std::max<std::uint64_t>(1, *std::max_element(bars.begin(), bars.end()));
    const auto step = static_cast<std::uint64_t>(roundStep(static_cast<std::int64_t>(most), kCounts));
    const std::uint64_t top = (most + step - 1) / step * step;
    const auto tallOf = [top](std::uint64_t count) {
        return kBarsHeight * static_cast<double>(count) / static_cast<double>(top);
    };
    const int foot = kBarsTop + kBarsHeight;
    const double wide = static_cast<double>(kBarsPlot) / kBars;
    std::string text = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Handoff times\">\n",
                                   kWidth, foot + kAxis);
    for (std::uint64_t count = 0; count <= top; count += step)
        text += fmt::format("<line class=\"grid\" x1=\"{0}\" y1=\"{2:.1f}\" x2=\"{1}\" y2=\"{2:.1f}\"/>"
                            "<text class=\"quiet\" x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
                            kBarsLeft, kBarsLeft + kBarsPlot, foot - tallOf(count), kBarsLeft - 6,
                            foot - tallOf(count) + 4, replay::wording::groupDigits(count));
    for (std::size_t i = 0; i < bars.size(); ++i)
        if (bars[i] > 0)
            text += fmt::format(
                "<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                kBarsLeft + wide * static_cast<double>(i) + 1, foot - tallOf(bars[i]), wide - 2,
                tallOf(bars[i]));
    return text + axis(kBarsLeft, kBarsPlot, foot, upTo) + "</svg>\n";
}

} // namespace lockscope::exports
