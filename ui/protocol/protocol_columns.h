// Places the lanes of the protocol: the server in the middle, clients on both sides, a gutter for the
// handoff's bracket at the left. Pure; in pixels.
#pragma once

#include <cstddef>
#include <vector>

namespace lockscope::ui {

struct ProtocolColumns
{
    static constexpr int kGutter = 84;
    static constexpr int kRight = 16;
    static constexpr int kDefaultLaneWidth = 168; // fits the longest common label beside the bars
    static constexpr int kMinLaneWidth = 128;     // while at most kMaxNarrowLanes fit
    static constexpr std::size_t kMaxNarrowLanes = 4;
    static constexpr int kBarRoom = 10; // to each side of a lane's line

    std::vector<double> x; // of the clients' lanes
    double server = 0;
    double step = 0; // from lane to lane
    double left = 0, right = 0;
    double edge = 0; // the right limit of labels

    static ProtocolColumns of(int width, std::size_t clients);
    static std::size_t room(int width);      // clients that fit beside the server; at least one
    static std::size_t mostLanes(int width); // the same, all of them narrow: a picture cannot be scrolled

    bool isLeft(std::size_t lane) const { return x[lane] < server; }
    // The free pixels on the lane's side away from the server.
    double outerWidth(std::size_t lane) const;

private:
    static std::size_t lanesOf(int each, int width);
};

} // namespace lockscope::ui
