// Plays a lesson to its end without a learner: makes every bet right, or every bet wrong, and does every task
// by the lesson's solution. Blocks. One thread.
#pragma once

#include "core/lesson/player.h"

#include <functional>

namespace lockscope::lesson {

enum class Answers : std::uint8_t {
    right, // the run's answer, entered when it is known
    wrong, // another bet; before a task, waits to see whether the goal is reached without any action
};

struct PlayedStep
{
    const Step* step = nullptr;
    const StepRecord* record = nullptr;
    bool hasBegun = true;         // false: the run was over before the step could begin
    bool reachedByItself = false; // the goal was reached without any action
    bool ended = false; // answered, reached or read; false: timed out, failed, cancelled, not begun or
                        // with a goal that held from the start
};

struct PlayThrough
{
    Answers answers = Answers::right;
    Duration limit = std::chrono::seconds(60);       // for each step
    std::function<void(const PlayedStep&)> onStep{}; // after each step; the argument is valid during the call
    std::function<bool()> cancelled{};
};

// Plays the current step until it is done, over the limit, or has failed.
PlayedStep playStep(Player& player, const PlayThrough& how);
// True when every step has ended, up to the end of the lesson.
bool play(Player& player, const PlayThrough& how);

} // namespace lockscope::lesson
