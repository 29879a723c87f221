// A lesson played from its first step to its end without a learner: every bet right, or every bet wrong, and every task
// done by the lesson's own solution. Blocks. One thread.
#pragma once

#include "core/lesson/player.h"

#include <functional>

namespace lockscope::lesson {

enum class Answers : std::uint8_t {
    right, // as the run says, once it has said it: nobody knows it before
    wrong, // something else; before a task is done, it is waited whether it does itself
};

struct PlayedStep
{
    const Step* step = nullptr;
    const StepRecord* visit = nullptr;
    bool reachedByItself = false; // the goal, with nothing done
    bool ended = false;           // answered, reached or read; else it went on for too long, or failed
};

struct PlayThrough
{
    Answers answers = Answers::right;
    Duration limit = std::chrono::seconds(60); // for every step
    std::function<void(const PlayedStep&)> onStep{}; // after each; what it is given lasts as long as the call
    std::function<bool()> cancelled{};
};

// The step at which the player is, until it is done or cannot be.
PlayedStep playStep(Player& player, const PlayThrough& how);
// True when every step came to its end.
bool play(Player& player, const PlayThrough& how);

} // namespace lockscope::lesson
