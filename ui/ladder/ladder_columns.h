// Where the lanes of the ladder stand: the server in the middle, clients to both sides, a gutter for the
// handoff's bracket at the left. Pure, in pixels.
#pragma once

#include <cstddef>
#include <vector>

namespace lockscope::ui {

struct LadderColumns
{
    static constexpr int kGutter = 84;
    static constexpr int kRight = 16;
    static constexpr int kLeast = 132;  // a lane's width, so that its labels can be read
    static constexpr int kBarRoom = 10; // to each side of a lane's line

    std::vector<double> x; // of the clients' lanes
    double server = 0;
    double step = 0; // from lane to lane
    double left = 0, right = 0;

    static LadderColumns of(int width, std::size_t clients);
    static std::size_t room(int width); // clients that fit beside the server; at least one

    bool isLeft(std::size_t lane) const { return x[lane] < server; }
    // Between the lane and the next one towards the server: room for the labels of its arrows, of nobody
    // else's.
    double gapLeft(std::size_t lane) const { return (isLeft(lane) ? x[lane] : x[lane] - step) + kBarRoom; }
    double gapRight(std::size_t lane) const { return (isLeft(lane) ? x[lane] + step : x[lane]) - kBarRoom; }
    double gapCentre(std::size_t lane) const { return (gapLeft(lane) + gapRight(lane)) / 2; }
    // Pixels on the lane's other side, away from the server.
    double outerRoom(std::size_t lane) const;
};

} // namespace lockscope::ui
