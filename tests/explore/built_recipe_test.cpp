// Recipes that are data: each ready one has the verdict that its file promises; what is read, printed and
// shown.
#include "core/explore/proof.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace lockscope::explore {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

BuiltRecipe ready(const std::string& name) { return loadBuiltRecipe(name).value(); }

// ---- the verdicts ----

struct Promised
{
    const char* recipe;
    const char* rule; // that is violated; empty: all hold
    std::uint32_t faults = 1;
    std::uint32_t clients = 2;
};
void PrintTo(const Promised& promised, std::ostream* out) { *out << promised.recipe; }

class ReadyRecipe : public ::testing::TestWithParam<Promised>
{};
INSTANTIATE_TEST_SUITE_P(
    All, ReadyRecipe,
    ::testing::Values(Promised{"curator", ""}, Promised{"kazoo", ""}, Promised{"herd", ""},
                      Promised{"herd", "", 0, 3}, Promised{"persistent-node", "S5"},
                      Promised{"one-node", "S2"}, Promised{"unprotected", "S5"},
                      Promised{"exists-watch", "S8", 0}, Promised{"no-watch", "S7", 0},
                      Promised{"takes-without-looking", "S2"}, Promised{"order-by-name", "S2", 0},
                      Promised{"trusts-its-belief", "S9"}, Promised{"gives-up-unfenced", "S9"}),
    [](const auto& promised) {
        std::string name = promised.param.recipe;
        std::ranges::replace(name, '-', '_');
        return name + "_" + std::to_string(promised.param.clients);
    });

TEST_P(ReadyRecipe, HasTheVerdictThatItsFilePromises)
{
    const BuiltRecipe recipe = ready(GetParam().recipe);
    const bool holds = *GetParam().rule == '\0';
    EXPECT_EQ(recipe.about.starts_with("Wrong: "), !holds);
    // With sanitizers a proof with a fault takes too long.
    const std::uint32_t faults = holds && EXPLORED_SCHEDULES < 4000 ? 0 : GetParam().faults;
    const ProofResult result = prove(recipe, {.clients = GetParam().clients, .faults = faults});
    const std::string verdict = verdictOf(recipe, result).english();
    RecordProperty("schedules", static_cast<int>(result.search.count.schedules));
    if (holds) {
        EXPECT_FALSE(result.found) << verdict << "\n" << result.found->log;
        EXPECT_EQ(result.search.end, SearchEnd::all);
        EXPECT_THAT(verdict, StartsWith("The rules hold in all "));
        EXPECT_EQ(verdict.find("It is a herd") != std::string::npos, recipe.isHerd());
        return;
    }
    ASSERT_TRUE(result.found) << verdict;
    RecordProperty("steps", static_cast<int>(result.found->steps.size()));
    EXPECT_EQ(result.found->violation.invariant, GetParam().rule) << result.found->log;
    EXPECT_THAT(verdict, HasSubstr("steps: " + ruleNamed(GetParam().rule).violation.english()));
    EXPECT_THAT(verdict, EndsWith(result.found->damage.english()));
    EXPECT_THAT(result.found->log, HasSubstr("VIOLATED  " + std::string(GetParam().rule)));
    EXPECT_GT(result.trace->count(), result.found->steps.size());
}

TEST(ReadyRecipes, AreAllPromisedHere)
{
    std::set<std::string_view> names;
    for (const sim::BuiltIn& one : builtRecipes())
        names.insert(one.name);
    EXPECT_THAT(names, Not(IsEmpty()));
    for (const std::string_view name : names) {
        const BuiltRecipe recipe = ready(std::string(name));
        for (const std::string& text : {recipe.title, recipe.titleZh, recipe.about, recipe.aboutZh})
            EXPECT_FALSE(text.empty()) << name;
    }
    EXPECT_EQ(ready("curator").options, BuiltRecipe{}.options);
}

// Without a fence the data is damaged, and the trace shows it.
TEST(ReadyRecipes, TheDamageToTheDataIsToldAndInTheTrace)
{
    const ProofResult late = prove(ready("trusts-its-belief"), {});
    ASSERT_TRUE(late.found);
    EXPECT_THAT(late.found->damage.english(),
                HasSubstr("The data is damaged: writes accepted: 2, but it counts 1"));
    bool faulty = false;
    for (std::size_t i = 0; i < late.trace->count(); ++i)
        if (const auto* value = std::get_if<trace::ResourceValue>(&late.trace->at(i).what))
            faulty = faulty || !value->fault.empty();
    EXPECT_TRUE(faulty);

    // Two hold, and both write: without a fence a write is lost, with one it is refused.
    BuiltRecipe hasty = ready("takes-without-looking");
    hasty[Choice::watch] = static_cast<std::uint8_t>(Watched::children);
    EXPECT_THAT(prove(hasty, {.clients = 3, .faults = 0}).found.value().damage.english(),
                AllOf(StartsWith("The data is whole"), HasSubstr("Refused by the fence")));
    hasty[Choice::fencing] = 1;
    EXPECT_THAT(prove(hasty, {.clients = 3, .faults = 0}).found.value().damage.english(),
                StartsWith("The data is damaged"));
}

// ---- the file ----

TEST(BuiltRecipeFile, ReadsBackAsItWasWritten)
{
    for (const ChoiceRow& row : choiceRows())
        for (std::uint8_t option = 0; option < row.options.size(); ++option) {
            BuiltRecipe recipe;
            recipe.title = "a \"title\"";
            recipe[row.choice] = option;
            const Result<BuiltRecipe> back = parseBuiltRecipe(toToml(recipe), "a.toml");
            ASSERT_TRUE(back) << back.error().text();
            EXPECT_EQ(*back, recipe);
        }
}

TEST(BuiltRecipeFile, AMistakeIsNamedWithItsPlaceAndWhatIsExpected)
{
    const auto mistake = [](const char* toml) {
        const Result<BuiltRecipe> read = parseBuiltRecipe(toml, "my.toml");
        return read ? "nothing" : read.error().text();
    };
    EXPECT_THAT(mistake("node = \"ephemeral\"\nwatch = \"get\""),
                HasSubstr("my.toml:2:9: found 'get', expected one of \"getData\", \"exists\", "
                          "\"getChildren\", \"nothing\"."));
    EXPECT_THAT(mistake("fencing = \"true\""),
                HasSubstr("my.toml:1:11: found 'true', expected one of true, false."));
    EXPECT_THAT(mistake("wach = \"exists\""),
                HasSubstr("my.toml:1:1: found the unknown field \"wach\", expected one of "));
    EXPECT_THAT(mistake("node = "), HasSubstr("my.toml:1:"));
    EXPECT_THAT(loadBuiltRecipe("no-such").error().text(), HasSubstr("There is no recipe \"no-such\"."));
}

// ---- its text ----

TEST(BuiltRecipeText, ChangesWithEachChoice)
{
    const auto text = [](const BuiltRecipe& recipe) {
        std::string all;
        for (const RecipeLine& line : algorithmOf(recipe))
            all += std::string(static_cast<std::size_t>(line.indent), ' ') + line.code + " # " +
                   line.comment.english() + "\n";
        return all;
    };
    for (const bool sequential : {true, false})
        for (const ChoiceRow& row : choiceRows()) {
            std::set<std::string> texts;
            BuiltRecipe recipe;
            recipe[Choice::sequential] = sequential ? 0 : 1;
            if (!recipe.matters(row.choice))
                continue;
            for (std::uint8_t option = 0; option < row.options.size(); ++option) {
                recipe[row.choice] = option;
                texts.insert(text(recipe));
            }
            EXPECT_EQ(texts.size(), row.options.size()) << row.key;
        }
}

// ---- the proof beside a window ----

TEST(Proof, SaysHowFarItIsAndWhatItFound)
{
    Proof proof(ready("curator"), {.faults = 0});
    proof.wait();
    EXPECT_EQ(proof.result()->search.end, SearchEnd::all);
    EXPECT_EQ(proof.progress().schedules, proof.result()->search.count.schedules);
    EXPECT_FALSE(proof.result()->trace);

    Proof broken(ready("no-watch"), {.faults = 0});
    broken.wait();
    EXPECT_TRUE(broken.result()->found);
    EXPECT_TRUE(broken.result()->trace);
}

TEST(Proof, EndsWhenItIsCancelled)
{
    Proof proof(ready("curator"), {.clients = 4, .faults = 4});
    proof.cancel();
    proof.wait();
    EXPECT_EQ(proof.result()->search.end, SearchEnd::cancelled);
    EXPECT_THAT(verdictOf(ready("curator"), *proof.result()).english(), HasSubstr("these were not all"));
    const Proof dropped(ready("curator"),
                        {.clients = 4, .faults = 4}); // its destructor does not wait for the end
}

} // namespace
} // namespace lockscope::explore
