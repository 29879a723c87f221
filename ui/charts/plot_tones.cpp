#include "ui/charts/plot_tones.h"

namespace lockscope::ui {

QColor toneColour(const PlotLayer& layer, const Palette& palette)
{
    switch (layer.tone) {
    case PlotTone::plain:
        return palette.client(0);
    case PlotTone::soft:
        return withAlpha(palette.client(0), palette.dark ? 190 : 130);
    case PlotTone::most:
        return palette.textMuted;
    case PlotTone::wake:
        return palette.wake;
    case PlotTone::overflow:
        return palette.client(5);
    case PlotTone::low: // thin lines and dots need more contrast with a dark background than areas
        return palette.client(palette.dark ? 8 : 0);
    case PlotTone::middle:
        return palette.client(2);
    case PlotTone::high:
        return palette.client(5);
    case PlotTone::client:
        return palette.client(layer.client);
    }
    return palette.text;
}

QColor dotColour(const PlotLayer& layer, const Palette& palette)
{
    return withAlpha(toneColour(layer, palette), layer.tone == PlotTone::low ? 200 : 255);
}

QColor futureVeil(const Palette& palette) { return withAlpha(palette.card, palette.dark ? 80 : 110); }

QPen tonePen(const PlotLayer& layer, const Palette& palette)
{
    // The highest percentile is drawn beneath the others, and widest: where few handoffs make p95 and p99
    // equal, both are visible.
    const double width = layer.tone == PlotTone::low ? 2.4 : layer.tone == PlotTone::high ? 3.6 : 1.6;
    QPen pen(toneColour(layer, palette), width);
    pen.setJoinStyle(Qt::MiterJoin);
    pen.setCapStyle(Qt::FlatCap);
    if (layer.tone == PlotTone::middle)
        pen.setDashPattern({5, 2.5});
    if (layer.tone == PlotTone::high)
        pen.setDashPattern({0.7, 0.7});
    return pen;
}

} // namespace lockscope::ui
