// What a learner has bet in a lesson, as a small file without a name, and what a class has bet together.
// Plain values; any thread.
#pragma once

#include "core/base/error.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::lesson {

// The first bet of a learner in a step.
struct GivenBet
{
    std::string step; // its name
    std::string bet;  // in English, as words() writes it
    bool right = false;
    bool operator==(const GivenBet&) const = default;
};

// Of one learner, in one lesson.
struct GivenBets
{
    std::string lesson; // its name
    std::vector<GivenBet> bets;
    // A later bet in the same step does not count; then false.
    bool add(GivenBet bet);
    bool operator==(const GivenBets&) const = default;
};

std::string toToml(const GivenBets& given); // reads back to the same
// Errors: badUsage with "file:line:column: found ..., expected ...".
Result<GivenBets> parseGivenBets(std::string_view toml, std::string_view fileName);
Result<GivenBets> loadGivenBets(const std::string& path); // also when the file cannot be read

struct ClassBet
{
    std::string bet;
    std::size_t learners = 0;
};
struct ClassStep
{
    std::string name;
    std::string question; // empty: the lesson is not a built-in one
    std::size_t learners = 0;
    std::size_t right = 0;
    std::vector<ClassBet> bets; // the most frequent first; also options on which nobody bet
};
struct ClassResult
{
    std::string lesson;
    std::string title; // empty: it is not a built-in one
    std::size_t learners = 0;
    std::vector<ClassStep> steps; // in which somebody bet, in their order
};
// By lesson: first the built-in ones, in the order of learning.
std::vector<ClassResult> classResults(std::span<const GivenBets> learners);

} // namespace lockscope::lesson
