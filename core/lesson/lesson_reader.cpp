// Reads lessons from TOML. A mistake is reported as file:line:column, what was found, what was expected.
#include "core/lesson/lesson.h"

#include "core/explore/flawed_session.h"
#include "core/explore/recipe.h"
#include "core/sim/scenario/scenario_reader.h"
#include "core/sim/scenario/toml_reader.h"
#include "core/sim/script/script_text.h"
#include "core/trace/event_fields.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

namespace lockscope::lesson {

const std::vector<std::string_view>& cardNames()
{
    static const std::vector<std::string_view> all = {"clients",       "chain",   "timeline",  "protocol",
                                                      "lock-children", "watches", "algorithm", "inspector",
                                                      "log",           "charts",  "findings",  "handoffs"};
    return all;
}

std::string viewName(const std::string& name)
{
    static const std::map<std::string, std::string> former = {
        {"ladder", "protocol"}, {"queue", "lock-children"}, {"lecture", "presentation"}};
    const auto found = former.find(name);
    return found == former.end() ? name : found->second;
}

namespace {

using Node = const toml::node&;
using sim::TomlReader;

constexpr std::size_t kMaxSteps = 100;

std::string allCards()
{
    std::string names;
    for (const std::string_view card : cardNames())
        names.append(names.empty() ? "" : ", ").append(card);
    return names;
}

class Reader
{
public:
    Reader(std::string_view file, Lesson& lesson)
        : m_file(file)
        , m_in(file)
        , m_lesson(lesson)
    {}

    void read(const toml::table& table)
    {
        TomlReader::Fields fields;
        addText(fields, "title", m_lesson.title);
        addText(fields, "about", m_lesson.about);
        fields["minutes"] = [&](Node node) { m_lesson.minutes = m_in.number(node, 1, 240); };
        fields["scenario"] = [&](Node node) { m_scenario = &node; };
        fields["scenarios"] = [](Node) {}; // read by readScenarios()
        fields["step"] = [&](Node node) {
            m_steps = &m_in.list(node, message("tables of steps, each under [[step]]"));
        };
        // Steps refer to scenarios, so these are read first.
        if (const toml::node* scenarios = table.get("scenarios"))
            readScenarios(*scenarios);
        m_in.readTable(table, fields);
        if (m_lesson.title.empty())
            m_in.fail(table.source(), message("a lesson without a title"), "title = \"The queue\"");
        if (!m_steps || m_steps->empty())
            m_in.fail(table.source(), message("a lesson without steps"), message("at least one [[step]]"));
        checkTexts(table);
        if (m_steps->size() > kMaxSteps)
            m_in.wrong(*m_steps, message("at most %1 steps", kMaxSteps));
        for (Node step : *m_steps)
            readStep(step);
        for (const toml::node* branch : m_branches)
            checkBranch(*branch);
    }

private:
    // "text" and "text_zh"
    void addText(TomlReader::Fields& fields, const std::string& name, Text& text) const
    {
        fields[name] = [this, &text](Node node) { text.english = readText(node); };
        fields[name + "_zh"] = [this, &text](Node node) { text.chinese = readText(node); };
    }

    // A "text_zh" without a "text" would never be shown.
    void checkTexts(const toml::table& table) const
    {
        constexpr std::string_view kChinese = "_zh";
        for (const auto& [key, node] : table) {
            const std::string_view name = key.str();
            if (!name.ends_with(kChinese))
                continue;
            const std::string_view english = name.substr(0, name.size() - kChinese.size());
            if (!table.contains(english))
                m_in.fail(key.source(), message("\"%1\" alone", name), message("\"%1\" beside it", english));
        }
    }

    std::string readText(Node node) const
    {
        std::string text = m_in.text(node);
        if (text.empty())
            m_in.wrong(node, message("a text that is not empty"));
        if (std::count(text.begin(), text.end(), '*') % 2 != 0)
            m_in.wrong(node, message("a * before and a * after the emphasized text"));
        return text;
    }

    const toml::table& table(Node node, const Message& expected) const
    {
        if (!node.is_table())
            m_in.wrong(node, expected);
        return *node.as_table();
    }

    // ---- scenarios ----

    void readScenarios(Node node)
    {
        for (const auto& [key, value] :
             table(node, message("tables of scenarios, each under [scenarios.NAME]"))) {
            const std::string name(key.str());
            const toml::table& one = table(value, message("a scenario, as in a file of its own"));
            sim::Scenario scenario = sim::readScenario(one, m_file, name);
            if (const toml::node* connect = one.get("connect"))
                m_in.wrong(*connect,
                           message("a scenario without \"connect\": a lesson has a server of its own"));
            if (const Result<void> valid = sim::validate(scenario); !valid)
                m_in.fail(one.source(), message("the scenario \"%1\"", name),
                          message("one that can be run: %1", valid.error().all()));
            std::ostringstream source;
            source << one << '\n';
            scenario.source = source.str();
            m_scenarios[name] = std::move(scenario);
        }
    }

    // A scenario of this file, or a built-in one.
    sim::Scenario scenarioOf(Node node) const
    {
        const std::string name = m_in.text(node);
        if (const auto own = m_scenarios.find(name); own != m_scenarios.end())
            return own->second;
        const auto& builtIns = sim::builtIns();
        const bool known = std::any_of(builtIns.begin(), builtIns.end(),
                                       [&](const sim::BuiltIn& one) { return one.name == name; });
        Result<sim::Scenario> scenario = known ? sim::loadScenario(name) : Result<sim::Scenario>(Error{});
        if (!scenario)
            m_in.wrong(node, message("a scenario of this file, under [scenarios.NAME], or a built-in one"));
        return std::move(*scenario);
    }

    // ---- phrases ----

    sim::Trigger readTrigger(Node node) const
    {
        const sim::Trigger when = m_in.choice(node, sim::parseTrigger, sim::triggerForms());
        checkClient(node, when.client);
        return when;
    }
    sim::Action action(Node node) const
    {
        const sim::Action action = m_in.choice(node, sim::parseAction, sim::actionForms());
        if (action.target == sim::Action::Target::named)
            checkClient(node, action.client);
        return action;
    }
    Metric metric(Node node) const
    {
        const Metric metric = m_in.choice(node, parseMetric, message("one of %1", metricForms()));
        checkClient(node, metric.client);
        return metric;
    }
    Condition condition(Node node) const
    {
        const Condition condition = m_in.choice(node, parseCondition, conditionForms());
        for (const Predicate& one : condition.all) {
            checkClient(node, one.metric.client);
            for (const std::string& client : one.clients)
                checkClient(node, client);
        }
        return condition;
    }

    // Accepts the clients of the scenario, and the next default names, which added clients get.
    void checkClient(Node node, const std::string& name) const
    {
        if (name.empty() || m_clients.empty() ||
            std::find(m_clients.begin(), m_clients.end(), name) != m_clients.end())
            return;
        for (std::uint32_t n = 0; n <= m_clients.size(); ++n)
            if (sim::clientName(n) == name)
                return;
        std::string known;
        for (const std::string& one : m_clients)
            if (known.size() < 200)
                known += (known.empty() ? "" : ", ") + one;
        m_in.wrong(node, message("a client of the scenario instead of \"%1\": %2", name, known));
    }

    static std::vector<std::string> clientsOf(const sim::Scenario& scenario)
    {
        std::vector<std::string> names;
        for (const sim::Participant& one : sim::participants(scenario))
            names.push_back(one.name);
        return names;
    }

    // ---- a step ----

    void readStep(Node node)
    {
        const toml::table& fieldsOf = table(node, message("a step table"));
        Step step;
        const toml::node* scenario = fieldsOf.get("scenario");
        const toml::node* puzzle = partOfTask(fieldsOf, "puzzle");
        const bool simulated = puzzle || partOfTask(fieldsOf, "mend");
        if (simulated)
            checkSimulatedStep(fieldsOf);
        if (!scenario && !simulated && needsRun(fieldsOf))
            scenario = m_scenario;
        if (!scenario && !simulated && needsRun(fieldsOf))
            m_in.fail(fieldsOf.source(), message("a step that needs a scenario"),
                      message("%1, in the step or for the lesson", "scenario = \"NAME\""));
        if (scenario)
            step.scenario = scenarioOf(*scenario);
        m_clients = step.scenario ? clientsOf(*step.scenario) : std::vector<std::string>();
        Puzzle world;
        if (puzzle)
            readPuzzle(*puzzle, world);
        TomlReader::Fields fields;
        fields["name"] = [&](Node name) { step.name = m_in.name(name); };
        addText(fields, "title", step.title);
        addText(fields, "text", step.text);
        addText(fields, "after", step.after);
        fields["remark"] = [&](Node remarks) { readRemarks(remarks, step); };
        fields["after_when"] = [&](Node when) { step.afterWhen = condition(when); };
        addText(fields, "learned", step.learned);
        fields["scenario"] = [](Node) {};
        fields["until"] = [&](Node when) { step.until = readTrigger(when); };
        fields["cards"] = [&](Node cards) { readCards(cards, step); };
        fields["point"] = [&](Node pointers) { readPointers(pointers, step); };
        fields["bet"] = [&](Node bet) { readQuestion(bet, step); };
        fields["task"] = [&](Node task) {
            readTask(task, step, puzzle ? std::optional(std::move(world)) : std::nullopt);
        };
        fields["next"] = [&](Node next) { readBranches(next, step); };
        m_in.readTable(fieldsOf, fields);
        if (step.text.empty())
            m_in.fail(fieldsOf.source(), message("a step without text"), "text = \"...\"");
        checkTexts(fieldsOf);
        if (!step.afterWhen.all.empty() && step.after.empty())
            m_in.wrong(*fieldsOf.get("after_when"), message("an \"after\" to which this condition applies"));
        if (step.question && step.task)
            m_in.wrong(*fieldsOf.get("task"), message("either a bet or a task"));
        if (step.name.empty())
            step.name = "step " + std::to_string(m_lesson.steps.size() + 1);
        if (!m_names.insert(step.name).second)
            m_in.wrong(*fieldsOf.get("name"), message("each name once"));
        m_lesson.steps.push_back(std::move(step));
        m_clients.clear();
    }

    void readRemarks(Node node, Step& step) const
    {
        for (Node entry : m_in.list(node, message("tables of remarks, each under [[step.remark]]"))) {
            const toml::table& fieldsOf = table(entry, message("a table with \"when\" and \"text\""));
            Remark remark;
            TomlReader::Fields fields;
            addText(fields, "text", remark.text);
            fields["when"] = [&](Node value) { remark.when = condition(value); };
            m_in.readTable(fieldsOf, fields);
            checkTexts(fieldsOf);
            if (remark.text.empty() || remark.when.all.empty())
                m_in.fail(fieldsOf.source(), message("a remark"), message("both \"when\" and \"text\""));
            step.remarks.push_back(std::move(remark));
        }
    }

    static bool needsRun(const toml::table& step)
    {
        return step.contains("until") || step.contains("bet") || step.contains("task");
    }

    void readCards(Node node, Step& step) const
    {
        for (Node card : m_in.list(node, message("a list of cards, such as [\"chain\", \"timeline\"]")))
            step.cards.push_back(cardOf(card, m_in.text(card)));
        if (step.cards.empty())
            m_in.wrong(node, message("at least one card: %1", allCards()));
    }

    std::string cardOf(Node node, const std::string& text) const
    {
        std::string name = viewName(text);
        if (std::find(cardNames().begin(), cardNames().end(), name) == cardNames().end())
            m_in.wrong(node, message("a card: %1", allCards()));
        return name;
    }

    // ["client ada", "node of bo", "handoff", "card timeline"]
    void readPointers(Node node, Step& step) const
    {
        for (Node entry :
             m_in.list(node, message("a list of things to point at, such as [\"node of ada\"]"))) {
            const std::string text = m_in.text(entry);
            const auto named = [&](std::string_view before) { return text.substr(before.size()); };
            if (text.starts_with("client ")) {
                step.pointers.push_back({Pointer::Kind::client, named("client ")});
                checkClient(entry, step.pointers.back().name);
            } else if (text.starts_with("node of ")) {
                step.pointers.push_back({Pointer::Kind::node, named("node of ")});
                checkClient(entry, step.pointers.back().name);
            } else if (text.starts_with("card ")) {
                step.pointers.push_back({Pointer::Kind::card, cardOf(entry, named("card "))});
            } else if (text.starts_with("message ")) {
                step.pointers.push_back(messageOf(entry, named("message ")));
            } else if (text == "handoff") {
                step.pointers.push_back({Pointer::Kind::handoff, {}});
            } else {
                m_in.wrong(
                    entry,
                    message("\"client ada\", \"node of ada\", \"message create of ada\", \"handoff\" or "
                            "\"card timeline\""));
            }
        }
    }

    // "create of ada"
    Pointer messageOf(Node node, std::string_view text) const
    {
        constexpr std::string_view kOf = " of ";
        const std::size_t at = text.find(kOf);
        const auto op =
            at == std::string_view::npos ? std::nullopt : trace::enumFrom<Operation>(text.substr(0, at));
        if (!op)
            m_in.wrong(
                node,
                message("the operation and the client of a message, such as \"message create of ada\""));
        const Pointer pointer{Pointer::Kind::message, std::string(text.substr(at + kOf.size())), *op};
        checkClient(node, pointer.name);
        return pointer;
    }

    // ---- a bet ----

    void readQuestion(Node node, Step& step) const
    {
        const toml::table& fieldsOf = table(node, message("a bet table"));
        Question question;
        TomlReader::Fields fields;
        addText(fields, "question", question.text);
        const toml::node* number = fieldsOf.get("number");
        const toml::node* who = fieldsOf.get("who");
        const toml::node* option = fieldsOf.get("option");
        fields["number"] = [&](Node value) {
            question.kind = Question::Kind::number;
            question.metric = metric(value);
            if (question.metric->namesClients())
                m_in.wrong(value, message("something that is counted: one of %1", metricForms()));
        };
        fields["who"] = [&](Node value) {
            question.kind = Question::Kind::who;
            question.metric = metric(value);
            if (!question.metric->namesClients())
                m_in.wrong(value, message("something that names clients: one of %1", metricForms()));
        };
        fields["option"] = [&](Node value) { readOptions(value, question); };
        fields["do"] = [&](Node value) {
            for (Node entry : m_in.list(value, message("a list of actions, such as [\"kill ada\"]")))
                question.actions.push_back(action(entry));
        };
        fields["then"] = [&](Node value) { question.then = readTrigger(value); };
        fields["within"] = [&](Node value) {
            question.within = m_in.duration(value);
            if (question.within <= Duration{} || question.within > std::chrono::minutes(10))
                m_in.wrong(value, message("a time longer than 0, and at most 10m"));
        };
        m_in.readTable(fieldsOf, fields);
        if (question.text.empty())
            m_in.fail(fieldsOf.source(), message("a bet without a question"), "question = \"Who is woken?\"");
        checkTexts(fieldsOf);
        if ((number ? 1 : 0) + (who ? 1 : 0) + (option ? 1 : 0) != 1)
            m_in.fail(fieldsOf.source(), message("a bet"),
                      message("one of \"option\", \"number\" and \"who\""));
        if (!question.actions.empty() && !question.then)
            m_in.fail(fieldsOf.source(), message("a bet with \"do\" but without \"then\""),
                      "then = \"when bo holds\"");
        step.question = std::move(question);
    }

    void readOptions(Node node, Question& question) const
    {
        for (Node entry : m_in.list(node, message("tables of options, each under [[step.bet.option]]"))) {
            const toml::table& fieldsOf = table(entry, message("an option table"));
            Option option;
            TomlReader::Fields fields;
            addText(fields, "text", option.text);
            addText(fields, "betrays", option.betrays);
            fields["when"] = [&](Node value) { option.when = condition(value); };
            m_in.readTable(fieldsOf, fields);
            if (option.text.empty())
                m_in.fail(fieldsOf.source(), message("an option without text"), "text = \"...\"");
            checkTexts(fieldsOf);
            if (option.when.all.empty())
                m_in.fail(fieldsOf.source(), message("an option without a condition"),
                          "when = \"woken is bo\"");
            question.options.push_back(std::move(option));
        }
        if (question.options.size() < 2 || question.options.size() > 9)
            m_in.wrong(node, message("2 to 9 options"));
    }

    // ---- a task ----

    static const toml::node* partOfTask(const toml::table& step, std::string_view name)
    {
        const toml::node* task = step.get("task");
        return task && task->is_table() ? task->as_table()->get(name) : nullptr;
    }

    // Nothing of a run on a server applies to it.
    void checkSimulatedStep(const toml::table& step) const
    {
        for (const char* name : {"scenario", "until", "bet"})
            if (const toml::node* other = step.get(name))
                m_in.wrong(*other, message("a step in a simulated world without \"%1\"", name));
    }

    // "faults" and "most_faults"
    void addFaults(TomlReader::Fields& fields, Faults& faults) const
    {
        fields["faults"] = [this, &faults](Node value) {
            const auto isKind = [](explore::StepKind kind) {
                return isFault(kind) && kind != explore::StepKind::refused;
            };
            std::vector<std::string> known;
            for (std::size_t i = 0; i < enumNames(explore::StepKind{}).size(); ++i)
                if (isKind(static_cast<explore::StepKind>(i)))
                    known.emplace_back(nameOf(static_cast<explore::StepKind>(i)));
            const Message form = message("a list of kinds of fault: %1", namesOf(known));
            for (Node entry : m_in.list(value, form)) {
                const auto kind = enumFrom<explore::StepKind>(m_in.text(entry));
                if (!kind || !isKind(*kind))
                    m_in.wrong(entry, form);
                faults.kinds.push_back(*kind);
            }
            if (!faults.kinds.empty())
                faults.most = std::max(faults.most, 1U);
        };
        fields["most_faults"] = [this, &faults](Node value) { faults.most = m_in.number(value, 1, 9); };
    }

    Mend mendOf(Node node) const
    {
        const toml::table& fieldsOf = table(node, message("a table of what is to be mended"));
        Mend mend;
        const toml::node* solution = nullptr;
        TomlReader::Fields fields;
        fields["recipe"] = [&](Node value) { mend.recipe = readyRecipe(value); };
        fields["clients"] = [&](Node value) { mend.clients = m_in.number(value, 1, 4); };
        addFaults(fields, mend.faults);
        fields["solution"] = [&](Node value) {
            solution = &value;
            mend.solution = m_in.choice(value, parseChange,
                                        message("a choice and its option, such as \"watch getData\""));
        };
        m_in.readTable(fieldsOf, fields);
        if (!fieldsOf.contains("recipe") || !solution)
            m_in.fail(fieldsOf.source(), message("a recipe to mend"),
                      message("both \"recipe\" and \"solution\""));
        if (mend.recipe[mend.solution.choice] == mend.solution.option)
            m_in.wrong(*solution, message("a change: the recipe is so already"));
        return mend;
    }

    explore::BuiltRecipe readyRecipe(Node node) const
    {
        const std::string name = m_in.text(node);
        std::vector<std::string> known;
        for (const sim::BuiltIn& one : explore::builtRecipes())
            known.emplace_back(one.name);
        if (std::ranges::find(known, name) == known.end())
            m_in.wrong(node, message("a recipe: %1", namesOf(known)));
        return explore::loadBuiltRecipe(name).value();
    }

    void readPuzzle(Node node, Puzzle& puzzle)
    {
        const toml::table& fieldsOf = table(node, message("a puzzle table"));
        const toml::node* readers = nullptr;
        const toml::node* solution = nullptr;
        TomlReader::Fields fields;
        fields["recipe"] = [&](Node value) {
            puzzle.recipe = m_in.text(value);
            if (!explore::recipeNamed(puzzle.recipe))
                m_in.wrong(value, message("a recipe: %1", namesOf(explore::recipeNames())));
        };
        fields["mistake"] = [&](Node value) {
            puzzle.mistake = m_in.text(value);
            std::vector<std::string> known;
            for (const explore::FlawRow& flaw : explore::allFlaws())
                known.emplace_back(flaw.name);
            if (!explore::flawNamed(puzzle.mistake))
                m_in.wrong(value, message("a mistake: %1", namesOf(known)));
        };
        fields["clients"] = [&](Node value) { puzzle.clients = m_in.number(value, 1, 4); };
        addFaults(fields, puzzle.faults);
        fields["readers"] = [&](Node value) { readers = &value; };
        fields["at_end"] = [&](Node value) { puzzle.atEnd = m_in.flag(value); };
        fields["solution"] = [&](Node value) { solution = &value; };
        m_in.readTable(fieldsOf, fields);
        for (std::uint32_t i = 0; i < puzzle.clients; ++i)
            m_clients.push_back(sim::clientName(i));
        if (readers && explore::recipeNamed(puzzle.recipe)->sides() < 2)
            m_in.wrong(*readers, message("a recipe with readers beside it: %1", "recipe = \"read-write\""));
        if (readers)
            for (Node entry : m_in.list(*readers, message("a list of clients, such as [\"bo\"]"))) {
                puzzle.readers.push_back(m_in.text(entry));
                checkClient(entry, puzzle.readers.back());
            }
        if (!solution)
            m_in.fail(fieldsOf.source(), message("a puzzle without a solution"),
                      "solution = [\"serve ada\", \"deliver ada\"]");
        const Message form = message("a list of moves, such as [\"serve ada\", \"deliver ada\", \"time\"]");
        for (Node entry : m_in.list(*solution, form)) {
            puzzle.solution.push_back(m_in.choice(entry, parseMove, form));
            checkClient(entry, puzzle.solution.back().client);
        }
    }

    static std::string namesOf(const std::vector<std::string>& all)
    {
        std::string names;
        for (const std::string& one : all)
            names += (names.empty() ? "" : ", ") + one;
        return names;
    }

    void readTask(Node node, Step& step, std::optional<Puzzle> puzzle) const
    {
        const toml::table& fieldsOf = table(node, message("a task table"));
        Task task;
        task.puzzle = std::move(puzzle);
        TomlReader::Fields fields;
        std::vector<std::string> english, chinese;
        addText(fields, "text", task.text);
        fields["goal"] = [&](Node value) { task.goal = condition(value); };
        fields["hints"] = [&](Node value) { english = texts(value); };
        fields["hints_zh"] = [&](Node value) { chinese = texts(value); };
        fields["puzzle"] = [](Node) {}; // was read by readPuzzle()
        fields["mend"] = [&](Node value) { task.mend = mendOf(value); };
        const bool simulated = fieldsOf.contains("puzzle") || fieldsOf.contains("mend");
        fields["solution"] = [&](Node value) {
            if (simulated)
                m_in.wrong(value, message("the solution under [step.task.puzzle] or [step.task.mend]"));
            const Message form =
                message("a list of actions, such as [\"freeze ada\", \"when bo holds: thaw ada\"]");
            for (Node entry : m_in.list(value, form))
                task.solution.push_back(act(entry));
        };
        m_in.readTable(fieldsOf, fields);
        if (task.text.empty())
            m_in.fail(fieldsOf.source(), message("a task without text"), "text = \"Make bo hold.\"");
        if (task.mend && (task.puzzle || !task.goal.all.empty()))
            m_in.wrong(*fieldsOf.get("mend"),
                       message("a recipe to mend without a goal or a puzzle beside it"));
        if (!task.mend && task.goal.all.empty())
            m_in.fail(fieldsOf.source(), message("a task without a goal"), "goal = \"holder is bo\"");
        checkTexts(fieldsOf);
        if (!chinese.empty() && chinese.size() != english.size())
            m_in.wrong(*fieldsOf.get("hints_zh"), message("as many hints as in \"hints\""));
        for (std::size_t i = 0; i < english.size(); ++i)
            task.hints.push_back({english[i], i < chinese.size() ? chinese[i] : ""});
        step.task = std::move(task);
    }

    std::vector<std::string> texts(Node node) const
    {
        std::vector<std::string> all;
        for (Node entry : m_in.list(node, message("a list of texts")))
            all.push_back(readText(entry));
        return all;
    }

    // "kill ada", "when bo holds: thaw ada"
    SolutionLine act(Node node) const
    {
        const std::string text = m_in.text(node);
        const std::size_t colon = text.find(": ");
        SolutionLine act;
        const auto parsed = sim::parseAction(colon == std::string::npos ? text : text.substr(colon + 2));
        if (!parsed)
            m_in.wrong(node, sim::actionForms());
        act.action = *parsed;
        if (act.action.target == sim::Action::Target::named)
            checkClient(node, act.action.client);
        if (colon == std::string::npos)
            return act;
        act.when = sim::parseTrigger(text.substr(0, colon));
        if (!act.when)
            m_in.wrong(node, message("%1, before the colon", sim::triggerForms()));
        checkClient(node, act.when->client);
        return act;
    }

    // ---- branches ----

    void readBranches(Node node, Step& step)
    {
        for (Node entry : m_in.list(node, message("tables, each under [[step.next]]"))) {
            const toml::table& fieldsOf = table(entry, message("a table with \"when\" and \"step\""));
            Branch branch;
            TomlReader::Fields fields;
            fields["when"] = [&](Node value) {
                const std::string text = m_in.text(value);
                branch.outcome = text == "right"   ? Branch::Outcome::right
                                 : text == "wrong" ? Branch::Outcome::wrong
                                                   : Branch::Outcome::condition;
                if (branch.outcome == Branch::Outcome::condition)
                    branch.when = condition(value);
            };
            fields["step"] = [&](Node value) {
                branch.step = m_in.name(value);
                m_branches.push_back(&value);
            };
            m_in.readTable(fieldsOf, fields);
            if (!fieldsOf.contains("when") || branch.step.empty())
                m_in.fail(fieldsOf.source(), message("a choice"), message("both \"when\" and \"step\""));
            step.next.push_back(std::move(branch));
        }
    }

    void checkBranch(Node node) const
    {
        if (!m_names.contains(m_in.text(node)))
            m_in.wrong(node, message("the name of a step of this lesson"));
    }

    std::string_view m_file;
    TomlReader m_in;
    Lesson& m_lesson;
    const toml::node* m_scenario = nullptr; // for steps without their own
    const toml::array* m_steps = nullptr;
    std::map<std::string, sim::Scenario> m_scenarios;
    std::vector<std::string> m_clients; // of the current step
    std::set<std::string> m_names;
    std::vector<const toml::node*> m_branches;
};

} // namespace

Result<Lesson> parseLesson(std::string_view source, std::string_view fileName)
{
    Lesson lesson;
    lesson.name = std::filesystem::path(fileName).stem().string();
    try {
        const toml::table table = sim::parseToml(source, fileName, message("Expected a lesson in TOML."));
        Reader(fileName, lesson).read(table);
    } catch (const sim::TomlError& mistake) {
        return mistake.error;
    }
    return lesson;
}

Result<Lesson> loadLesson(const std::string& nameOrPath)
{
    const Result<sim::TomlText> loaded =
        sim::loadToml(nameOrPath, builtIns(), message("There is no lesson \"%1\".", nameOrPath),
                      message("A lesson is a short TOML file."));
    return loaded ? parseLesson(loaded->text, loaded->fileName) : loaded.error();
}

} // namespace lockscope::lesson
