#include "ui/welcome/scenario_entry.h"

#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace lockscope::ui {

namespace {

struct ScenarioEntryText // lives only to give the texts of this file a translation context
{
    Q_DECLARE_TR_FUNCTIONS(ScenarioEntry)
};

constexpr int kTitleLength = 120;
constexpr int kLineLength = 300;

// The scenarios for beginners, in this order.
constexpr std::array<std::string_view, 4> kStartScenarios = {"five-clients", "two-clients", "well",
                                                             "order-numbers"};

bool isForTeaching(Recipe recipe) { return recipe >= Recipe::herd; }

bool isFault(const sim::Action& action)
{
    using Kind = sim::Action::Kind;
    switch (action.kind) {
    case Kind::killSession:
    case Kind::closeSession:
    case Kind::freeze:
    case Kind::deleteNode:
    case Kind::writeNode:
    case Kind::reap:
    case Kind::stopServer:
    case Kind::killServer:
        return true;
    default:
        return sim::concernsLinks(action);
    }
}

ScenarioGroup groupOf(const sim::Scenario& scenario)
{
    if (std::find(kStartScenarios.begin(), kStartScenarios.end(), scenario.name) != kStartScenarios.end()) {
        return ScenarioGroup::start;
    }
    if (isForTeaching(scenario.recipe)) {
        return ScenarioGroup::mistakes;
    }
    const bool faults = std::any_of(scenario.script.begin(), scenario.script.end(),
                                    [](const sim::ScriptLine& line) { return isFault(line.action); });
    const bool violated =
        std::any_of(scenario.expect.begin(), scenario.expect.end(), [](const sim::Expectation& one) {
            return one.verdict == sim::ExpectedOutcome::violated;
        });
    if (faults || violated) {
        return ScenarioGroup::wrong;
    }
    return scenario.recipe != Recipe::mutex ? ScenarioGroup::locks : ScenarioGroup::more;
}

std::size_t rank(const ScenarioEntry& story)
{
    const auto at = std::find(kStartScenarios.begin(), kStartScenarios.end(), story.scenario.name) -
                    kStartScenarios.begin();
    return static_cast<std::size_t>(at);
}

} // namespace

QString firstSentence(const QString& text)
{
    for (qsizetype at = 0; at < text.size(); ++at) {
        const bool ends = text[at] == QChar(0x3002) ||
                          (text[at] == '.' && (at + 1 == text.size() || text[at + 1].isSpace()));
        if (ends) {
            return text.left(at + 1);
        }
    }
    return text;
}

QString titleOf(const sim::Scenario& scenario)
{
    const bool chinese = isChinese() && !scenario.titleZh.empty();
    return format::plain(chinese ? scenario.titleZh : scenario.title, kTitleLength);
}

QString textOf(const sim::Scenario& scenario)
{
    const bool chinese = isChinese() && !scenario.textZh.empty();
    return QString::fromStdString(chinese ? scenario.textZh : scenario.text);
}

QString titleOf(ScenarioGroup group)
{
    switch (group) {
    case ScenarioGroup::start:
        return ScenarioEntryText::tr("Start Here");
    case ScenarioGroup::wrong:
        return ScenarioEntryText::tr("What Goes Wrong");
    case ScenarioGroup::locks:
        return ScenarioEntryText::tr("Other Locks");
    case ScenarioGroup::mistakes:
        return ScenarioEntryText::tr("Why the Recipe Is Like This");
    case ScenarioGroup::more:
        return ScenarioEntryText::tr("More Scenarios");
    }
    return {};
}

std::vector<ScenarioEntry> builtInScenarios()
{
    std::vector<ScenarioEntry> stories;
    for (const sim::BuiltIn& builtIn : sim::builtIns()) {
        const auto scenario = sim::loadScenario(std::string(builtIn.name));
        if (!scenario) {
            continue;
        }
        stories.push_back({QString::fromStdString(scenario->name), titleOf(*scenario),
                           format::plain(firstSentence(textOf(*scenario)).toStdString(), kLineLength),
                           groupOf(*scenario), *scenario});
    }
    std::stable_sort(stories.begin(), stories.end(), [](const ScenarioEntry& a, const ScenarioEntry& b) {
        return a.group != b.group ? a.group < b.group : rank(a) < rank(b);
    });
    return stories;
}

} // namespace lockscope::ui
