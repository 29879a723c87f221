#include "ui/shell/runbar/pace.h"

#include "ui/models/style/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace lockscope::ui::pace {

namespace {

using std::chrono::milliseconds;

// Round numbers, each 1.2 to 2.5 times the previous one, so that the user can find a pace again.
constexpr std::array<Duration, 15> kSteps{
    milliseconds(0),   milliseconds(2),    milliseconds(5),    milliseconds(10),   milliseconds(25),
    milliseconds(50),  milliseconds(100),  milliseconds(250),  milliseconds(400),  milliseconds(600),
    milliseconds(800), milliseconds(1000), milliseconds(1250), milliseconds(1500), milliseconds(2000)};

} // namespace

int positions() { return static_cast<int>(kSteps.size()); }

Duration at(int position)
{
    return kSteps[static_cast<std::size_t>(std::clamp(position, 0, positions() - 1))];
}

int nearest(Duration step)
{
    int best = 0;
    for (int i = 1; i < positions(); ++i) {
        if (std::chrono::abs(at(i) - step) < std::chrono::abs(at(best) - step)) {
            best = i;
        }
    }
    return best;
}

QString words(Duration step)
{
    if (step <= Duration::zero()) {
        return QCoreApplication::translate("Pace", "full speed");
    }
    return QCoreApplication::translate("Pace", "%1/step").arg(format::duration(step));
}

} // namespace lockscope::ui::pace
