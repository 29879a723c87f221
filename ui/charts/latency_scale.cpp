#include "ui/charts/latency_scale.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace lockscope::ui {

namespace {

using namespace std::chrono_literals;

constexpr Duration kMinScale = 10us; // finer than what is measured

struct Round
{
    Duration::rep tenths; // of a power of ten
    int parts;            // into which it divides at round numbers
    int bars;             // a multiple of the parts
};
constexpr std::array<Round, 7> kRound{
    {{10, 5, 25}, {15, 3, 24}, {20, 4, 24}, {30, 3, 24}, {40, 4, 24}, {50, 5, 25}, {80, 4, 24}}};

} // namespace

LatencyScale latencyScale(Duration p99)
{
    const Duration wanted = std::max<Duration>(kMinScale, p99 + p99 / 10);
    for (Duration power = kMinScale;; power *= 10)
        for (const Round& round : kRound) {
            const Duration axisEnd(power.count() / 10 * round.tenths);
            if (axisEnd < wanted && power < Duration(24h))
                continue;
            const Duration unit = axisEnd < 100us ? Duration(1us)
                                  : axisEnd < 10s ? Duration(1ms)
                                                  : Duration(1s);
            return {axisEnd, round.bars, round.parts + 1, unit};
        }
}

QString latencyUnit(const LatencyScale& scale)
{
    if (scale.unit == Duration(1us))
        return QCoreApplication::translate("LatencyScale", "µs");
    return scale.unit == Duration(1s) ? QCoreApplication::translate("LatencyScale", "s")
                                      : QCoreApplication::translate("LatencyScale", "ms");
}

int latencyDecimals(const LatencyScale& scale)
{
    const Duration step = scale.axisEnd / (scale.labels - 1);
    int decimals = 0;
    for (Duration least = scale.unit; decimals < 3 && step % least != Duration::zero(); least /= 10)
        ++decimals;
    return decimals;
}

int latencyLabelEvery(const LatencyScale& scale, int width, int labelWidth)
{
    const int parts = scale.labels - 1;
    int every = 1;
    while (every < parts && width * every < labelWidth * parts)
        ++every;
    return every;
}

} // namespace lockscope::ui
