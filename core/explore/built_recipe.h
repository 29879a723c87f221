// A lock recipe as data: the choices of which one is built, as a TOML file and as the text of its algorithm.
// core/explore/built_lock.h runs it. Plain values; any thread.
#pragma once

#include "core/base/error.h"
#include "core/sim/scenario/scenario.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::explore {

enum class Choice : std::uint8_t {
    node,
    sequential,
    protection,
    watch,
    listAgain,
    order,
    suspended,
    fencing
};
inline constexpr std::size_t kChoices = 8;

// One of the answers to a choice.
struct ChoiceOption
{
    std::string_view word; // in a file
    Message label;         // "ephemeral: it goes with its session"
};
struct ChoiceRow
{
    Choice choice{};
    std::string_view key;              // in a file
    Message title;                     // "The node"
    std::vector<ChoiceOption> options; // the first one is that of Curator's mutex
};
std::span<const ChoiceRow, kChoices> choiceRows(); // in the order of Choice

enum class Watched : std::uint8_t { beforeByGetData, beforeByExists, children, nothing };

struct BuiltRecipe
{
    std::string title, titleZh;                   // English and Chinese; either may be empty
    std::string about, aboutZh;                   // what is to be said of it, one line
    std::array<std::uint8_t, kChoices> options{}; // by Choice: the index of the option of its row

    std::uint8_t& operator[](Choice choice) { return options[static_cast<std::size_t>(choice)]; }
    std::uint8_t operator[](Choice choice) const { return options[static_cast<std::size_t>(choice)]; }
    // The choice makes a difference: without sequential nodes there is no order.
    bool matters(Choice choice) const { return choice != Choice::order || isSequential(); }

    bool isPersistent() const { return (*this)[Choice::node] != 0; }
    bool isSequential() const { return (*this)[Choice::sequential] == 0; }
    bool isProtected() const { return (*this)[Choice::protection] == 0; }
    Watched watched() const { return static_cast<Watched>((*this)[Choice::watch]); }
    bool listsAgain() const { return (*this)[Choice::listAgain] == 0; }
    bool ordersByName() const { return (*this)[Choice::order] != 0; }
    bool givesUp() const { return (*this)[Choice::suspended] != 0; }
    bool isFenced() const { return (*this)[Choice::fencing] == 0; }
    // When a node goes, all who wait are woken.
    bool isHerd() const { return watched() == Watched::children || !isSequential(); }

    friend bool operator==(const BuiltRecipe&, const BuiltRecipe&) = default;
};

// A line of the algorithm.
struct RecipeLine
{
    std::string code; // pseudo-code, the same in every language
    Message comment;  // may be empty
    int indent = 0;
    bool isTitle = false;         // acquire():
    std::optional<Choice> from{}; // the line is as it is because of this choice
};
std::vector<RecipeLine> algorithmOf(const BuiltRecipe& recipe);

// Errors: badUsage with "file:line:column: found ..., expected ...". A key that is missing is as in Curator's
// mutex.
Result<BuiltRecipe> parseBuiltRecipe(std::string_view toml, std::string_view fileName);
// All choices, one a line; reads back to the same recipe.
std::string toToml(const BuiltRecipe& recipe);

// The ready ones (resources/recipes): first those that hold.
const std::vector<sim::BuiltIn>& builtRecipes();
// A ready one's name or a path to a .toml file. Errors: badUsage.
Result<BuiltRecipe> loadBuiltRecipe(const std::string& nameOrPath);

} // namespace lockscope::explore
