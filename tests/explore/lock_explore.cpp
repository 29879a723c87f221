// lock_explore: explores schedules by hand. Prints the story of the first violation and ends with 1, or says
// how much was explored and ends with 0; 2 is bad usage.
#include "core/explore/explorer.h"

#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>

using namespace lockscope::explore;

namespace {

constexpr const char* kUsage =
    "lock_explore [--recipe mutex|read-write|semaphore] [--handoff curator|announced|mixed] "
    "[--schedules N] [--seed S] [--bug NAME] [--last-numbers] [--story]\n"
    "  --seed S   the first of the seeds; with --schedules 1 --story it is printed "
    "whether it violates anything or not\n";

int usage()
{
    std::cerr << kUsage << "Bugs:";
    for (const FlawRow& row : allFlaws())
        std::cerr << " " << row.name;
    std::cerr << "\nRecipes:";
    for (const std::string& name : recipeNames())
        std::cerr << " " << name;
    std::cerr << "\n";
    return 2;
}

struct Arguments
{
    ScheduleOptions options{recipeNamed("mutex"), Handoff::announced, {}};
    std::uint64_t seed = 1;
    std::size_t schedules = 10000;
    bool scheduleLog = false;
};

bool take(Arguments& into, const std::string& name, const std::string& value)
{
    if (name == "--recipe") {
        into.options.recipe = recipeNamed(value);
        return into.options.recipe != nullptr;
    }
    if (name == "--handoff") {
        const auto handoff = handoffNamed(value);
        into.options.handoff = handoff.value_or(Handoff::curator);
        return handoff.has_value();
    }
    if (name == "--bug") {
        const auto flaws = flawNamed(value);
        into.options.flaws = flaws.value_or(Flaws{});
        return flaws.has_value();
    }
    char* end = nullptr;
    const unsigned long long number = std::strtoull(value.c_str(), &end, 10);
    if (value.empty() || *end != '\0')
        return false;
    if (name == "--seed")
        into.seed = number;
    else if (name == "--schedules")
        into.schedules = number;
    else
        return false;
    return true;
}

} // namespace

int main(int argc, char** argv)
{
    Arguments arguments;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        if (name == "--story") {
            arguments.scheduleLog = true;
        } else if (name == "--last-numbers") {
            arguments.options.lastNumbers = true;
        } else {
            if (i + 1 == argc || !take(arguments, name, argv[i + 1]))
                return usage();
            ++i;
        }
    }
    if (arguments.scheduleLog)
        std::cout << runSchedule(arguments.options, arguments.seed, true).scheduleLog;
    const std::clock_t begin = std::clock();
    const Exploration result = explore(arguments.options, arguments.seed, arguments.schedules);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::cout << result.text() << "\n";
    std::cout << static_cast<long>(static_cast<double>(result.schedules) / seconds * 60)
              << " schedules a minute of processor time\n";
    return result.found ? 1 : 0;
}
