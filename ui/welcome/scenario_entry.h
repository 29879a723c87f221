// A built-in scenario on the welcome page: its title and first sentence in the current language, and its
// group. Plain values, any thread.
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

// Sorted by group; within a group in the built-in order.
std::vector<ScenarioEntry> builtInScenarios();
QString titleOf(ScenarioGroup group);
QString titleOf(const sim::Scenario& scenario);
QString textOf(const sim::Scenario& scenario); // the whole text
// The first sentence, in either language.
QString firstSentence(const QString& text);

} // namespace lockscope::ui
