// A lesson as an exercise sheet to print: what happens is to be predicted on paper. Any thread.
#pragma once

#include "core/lesson/evaluation.h"

#include <map>
#include <string>

namespace lockscope::app {

// One page (HTML) that needs nothing else, in both languages, one of which is shown and printed: each step
// with its bet or task and room to write, then a key. `answers`: of the runs, by the name of the step.
std::string lessonSheet(const lesson::Lesson& lesson, const std::map<std::string, lesson::Bet>& answers);

} // namespace lockscope::app
