// A built-in scenario as the welcome page tells it: its title and one line in the person's language, and
// where it belongs. Plain values, any thread.
#pragma once

#include "core/sim/scenario/scenario.h"

#include <QString>

#include <vector>

namespace lockscope::ui {

enum class ScenarioGroup { start, wrong, locks, mistakes, more };

struct ScenarioEntry
{
    QString name; // "five-clients"
    QString title;
    QString line;
    ScenarioGroup group = ScenarioGroup::more;
    sim::Scenario scenario;
};

// All of them, group by group, in each in the order in which they are built in.
std::vector<ScenarioEntry> builtInScenarios();
QString titleOf(ScenarioGroup group);
QString titleOf(const sim::Scenario& scenario);
QString textOf(const sim::Scenario& scenario); // all that it says, as it is written
// The first sentence, in either language.
QString firstSentence(const QString& text);

} // namespace lockscope::ui
