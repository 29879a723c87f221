// lockscope-cli lessons and --lesson: lists the lessons, and plays one without a learner.
#pragma once

#include "core/lesson/play_through.h"

#include <string>
#include <vector>

namespace lockscope::app {

struct LessonArguments
{
    lesson::Lesson lesson;
    lesson::Answers answers = lesson::Answers::right;
    std::string connect;   // empty: each step starts its own ZooKeeper
    std::string sheetFile; // an exercise sheet; empty: none
};

// One lesson per line, its name first; no heading.
std::string lessonList();
// What learners have bet, of files and folders: printed, and written as JSON unless `reportFile` is empty; to
// standard output only one of them. Returns the exit code.
int printClassResults(const std::vector<std::string>& paths, const std::string& reportFile);
// Returns the exit code: 0 when every step came to its end; prints what was bet, what the run
// answered, and the event that proves it.
int runLesson(const LessonArguments& arguments);

} // namespace lockscope::app
