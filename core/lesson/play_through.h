// Plays a lesson from its first step to its end without a learner: every bet right, or every bet wrong, and
// every task done by the lesson's solution. Blocks. One thread.
#pragma once

#include "core/lesson/player.h"

#include <functional>

namespace lockscope::lesson {

enum class Answers : std::uint8_t {
    right, // as the run's answer, entered after it is known
    wrong, // another bet; before a task it waits, to see if the goal is reached without any action
};

struct PlayedStep
{
    const Step* step = nullptr;
    const StepRecord* record = nullptr;
    bool hasBegun = true;         // false: the run was over before the step could begin
    bool reachedByItself = false; // the goal was reached without any action
    bool ended = false;           // answered, reached or read; false: over the limit, or failed
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
// True when every step has ended.
bool play(Player& player, const PlayThrough& how);

} // namespace lockscope::lesson
