#include "core/lesson/class_result.h"

#include "core/lesson/lesson.h"
#include "core/sim/scenario/settings.h"
#include "core/sim/scenario/toml_reader.h"

#include <algorithm>
#include <utility>

namespace lockscope::lesson {

namespace {

// The element with this name, which is added when there is none.
template <class Row>
Row& rowOf(std::vector<Row>& rows, std::string Row::*name, const std::string& is)
{
    const auto found = std::ranges::find(rows, is, name);
    if (found != rows.end())
        return *found;
    rows.emplace_back().*name = is;
    return rows.back();
}

ClassResult emptyResult(const std::string& name)
{
    ClassResult result;
    result.lesson = name;
    if (std::ranges::find(builtIns(), name, &BuiltIn::name) == builtIns().end())
        return result;
    const Result<Lesson> lesson = loadLesson(name);
    if (!lesson)
        return result;
    result.title = lesson->title.english;
    for (const Step& step : lesson->steps)
        if (step.question) {
            ClassStep& row = result.steps.emplace_back();
            row.name = step.name;
            row.question = step.question->text.english;
            for (const Option& option : step.question->options)
                row.bets.push_back({option.text.english, 0});
        }
    return result;
}

void count(ClassResult& result, const GivenBets& given)
{
    ++result.learners;
    for (const GivenBet& one : given.bets) {
        ClassStep& step = rowOf(result.steps, &ClassStep::name, one.step);
        ++step.learners;
        step.right += one.right ? 1 : 0;
        ++rowOf(step.bets, &ClassBet::bet, one.bet).learners;
    }
}

} // namespace

bool GivenBets::add(GivenBet bet)
{
    if (std::ranges::find(bets, bet.step, &GivenBet::step) != bets.end())
        return false;
    bets.push_back(std::move(bet));
    return true;
}

std::string toToml(const GivenBets& given)
{
    std::string text = "lesson = " + sim::tomlString(given.lesson) + "\n";
    for (const GivenBet& one : given.bets)
        text.append("\n[[bet]]\nstep = ")
            .append(sim::tomlString(one.step))
            .append("\nbet = ")
            .append(sim::tomlString(one.bet))
            .append(one.right ? "\nright = true\n" : "\nright = false\n");
    return text;
}

Result<GivenBets> parseGivenBets(std::string_view toml, std::string_view fileName)
{
    try {
        const sim::TomlReader reader(fileName);
        const Message hint = message("Expected the bets of a learner, as the window writes them.");
        GivenBets given;
        reader.readTable(
            sim::parseToml(toml, fileName, hint),
            {{"lesson", [&](const toml::node& node) { given.lesson = reader.name(node); }},
             {"bet", [&](const toml::node& node) {
                  for (const toml::node& one : reader.list(node, message("a list of bets"))) {
                      if (!one.is_table())
                          reader.wrong(one, message("a bet"));
                      GivenBet bet;
                      reader.readTable(
                          *one.as_table(),
                          {{"step", [&](const toml::node& part) { bet.step = reader.text(part); }},
                           {"bet", [&](const toml::node& part) { bet.bet = reader.text(part); }},
                           {"right", [&](const toml::node& part) { bet.right = reader.flag(part); }}});
                      given.add(std::move(bet));
                  }
              }}});
        if (given.lesson.empty())
            return Error{ErrorCode::badUsage, message("%1 does not name a lesson.", fileName), hint};
        return given;
    } catch (const sim::TomlError& mistake) {
        return mistake.error;
    }
}

Result<GivenBets> loadGivenBets(const std::string& path)
{
    const Result<sim::TomlText> file =
        sim::loadToml(path, {}, message("No file %1.", path), message("Expected the bets of a learner."));
    if (!file)
        return file.error();
    return parseGivenBets(file->text, file->fileName);
}

std::vector<ClassResult> classResults(std::span<const GivenBets> learners)
{
    std::vector<ClassResult> results;
    for (const BuiltIn& builtIn : builtIns())
        if (std::ranges::find(learners, builtIn.name, &GivenBets::lesson) != learners.end())
            results.push_back(emptyResult(std::string(builtIn.name)));
    for (const GivenBets& given : learners)
        count(rowOf(results, &ClassResult::lesson, given.lesson), given);
    for (ClassResult& result : results) {
        std::erase_if(result.steps, [](const ClassStep& step) { return step.learners == 0; });
        for (ClassStep& step : result.steps)
            std::ranges::stable_sort(step.bets, std::ranges::greater{}, &ClassBet::learners);
    }
    return results;
}

} // namespace lockscope::lesson
