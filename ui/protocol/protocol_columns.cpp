#include "ui/protocol/protocol_columns.h"

#include <algorithm>

namespace lockscope::ui {

namespace {
constexpr double kOuter = 0.9; // of a step: room for the notes of the outermost lanes
}

ProtocolColumns ProtocolColumns::of(int width, std::size_t clients)
{
    ProtocolColumns columns;
    columns.left = kGutter;
    columns.right = std::max(kGutter + 2, width - kRight);
    columns.edge = columns.right + kRight - 6;
    columns.step = (columns.right - columns.left) / (static_cast<double>(clients) + 2 * kOuter);
    const auto middle = [&](std::size_t slot) {
        return columns.left + columns.step * (static_cast<double>(slot) + kOuter);
    };
    const std::size_t serverSlot = clients / 2;
    columns.server = middle(serverSlot);
    for (std::size_t i = 0; i < clients; ++i)
        columns.x.push_back(middle(i < serverSlot ? i : i + 1));
    return columns;
}

std::size_t ProtocolColumns::lanesOf(int each, int width)
{
    const double room = (width - kGutter - kRight) / static_cast<double>(each) - 2 * kOuter;
    return static_cast<std::size_t>(std::max(1.0, room));
}

std::size_t ProtocolColumns::room(int width)
{
    return std::max(lanesOf(kDefaultLaneWidth, width), std::min(kMaxNarrowLanes, mostLanes(width)));
}

std::size_t ProtocolColumns::mostLanes(int width) { return lanesOf(kMinLaneWidth, width); }

double ProtocolColumns::outerWidth(std::size_t lane) const
{
    const bool outermost = isLeft(lane) ? lane == 0 : lane + 1 == x.size();
    if (!outermost)
        return step - 2 * kBarRoom;
    return (isLeft(lane) ? x[lane] - left : right - x[lane]) - kBarRoom;
}

} // namespace lockscope::ui
