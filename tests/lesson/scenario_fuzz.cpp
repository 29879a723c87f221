#include "tests/lesson/scenario_fuzz.h"

#include "core/lesson/lesson.h"
#include "core/sim/scenario/scenario.h"
#include "tests/support/fuzz.h"

namespace lockscope::tests {

void readAsScenario(std::string_view input)
{
    if (input.empty())
        return;
    const bool isLesson = static_cast<unsigned char>(input.front()) % 2 != 0;
    input.remove_prefix(1);
    if (isLesson) {
        const auto lesson = lesson::parseLesson(input, "lesson.toml");
        require(lesson || !lesson.error().text().empty(), "a refusal has a reason");
        return;
    }
    const auto scenario = sim::parseScenario(input, "scenario.toml");
    if (!scenario) {
        require(!scenario.error().text().empty(), "a refusal has a reason");
        return;
    }
    const std::string text = sim::toToml(*scenario);
    const auto again = sim::parseScenario(text, "scenario.toml");
    require(again.has_value(), "a scenario that was written can be read");
    require(sim::toToml(*again) == text, "a scenario that was written and read is the same");
}

} // namespace lockscope::tests

LOCKSCOPE_FUZZ_TARGET(lockscope::tests::readAsScenario)
