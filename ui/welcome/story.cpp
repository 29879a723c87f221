#include "ui/welcome/story.h"

#include "ui/models/format.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>

namespace lockscope::ui {

namespace {

struct Words // lives only to give the texts of this file a translation context
{
    Q_DECLARE_TR_FUNCTIONS(Story)
};

constexpr int kTitleLength = 120;
constexpr int kLineLength = 300;

// What a beginner looks at first, in this order.
constexpr std::array<std::string_view, 4> kFirst = {"five-clients", "two-clients", "well", "order-numbers"};

bool isForTeaching(sim::Recipe recipe) { return recipe >= sim::Recipe::herd; }

bool isFault(const sim::Deed& deed)
{
    using Kind = sim::Deed::Kind;
    switch (deed.kind) {
    case Kind::kill:
    case Kind::close:
    case Kind::freeze:
    case Kind::deleteNode:
    case Kind::writeNode:
    case Kind::reap:
    case Kind::stopServer:
    case Kind::killServer:
        return true;
    default:
        return sim::concernsLinks(deed);
    }
}

StoryGroup groupOf(const sim::Scenario& scenario)
{
    if (std::find(kFirst.begin(), kFirst.end(), scenario.name) != kFirst.end()) {
        return StoryGroup::start;
    }
    if (isForTeaching(scenario.recipe)) {
        return StoryGroup::mistakes;
    }
    const bool faults = std::any_of(scenario.script.begin(), scenario.script.end(),
                                    [](const sim::ScriptLine& line) { return isFault(line.deed); });
    const bool violated =
        std::any_of(scenario.expect.begin(), scenario.expect.end(),
                    [](const sim::Expectation& one) { return one.verdict == sim::Verdict::violated; });
    if (faults || violated) {
        return StoryGroup::wrong;
    }
    return scenario.recipe != sim::Recipe::mutex ? StoryGroup::locks : StoryGroup::more;
}

bool inChinese() { return QLocale().language() == QLocale::Chinese; }

std::size_t rank(const Story& story)
{
    const auto at = std::find(kFirst.begin(), kFirst.end(), story.scenario.name) - kFirst.begin();
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
    const bool chinese = inChinese() && !scenario.titleZh.empty();
    return format::plain(chinese ? scenario.titleZh : scenario.title, kTitleLength);
}

QString textOf(const sim::Scenario& scenario)
{
    const bool chinese = inChinese() && !scenario.textZh.empty();
    return QString::fromStdString(chinese ? scenario.textZh : scenario.text);
}

QString titleOf(StoryGroup group)
{
    switch (group) {
    case StoryGroup::start:
        return Words::tr("Start here");
    case StoryGroup::wrong:
        return Words::tr("What goes wrong");
    case StoryGroup::locks:
        return Words::tr("Other locks");
    case StoryGroup::mistakes:
        return Words::tr("Why it is done this way");
    case StoryGroup::more:
        return Words::tr("More to see");
    }
    return {};
}

std::vector<Story> builtInStories()
{
    std::vector<Story> stories;
    for (const sim::BuiltIn& builtIn : sim::builtIns()) {
        const auto scenario = sim::loadScenario(std::string(builtIn.name));
        if (!scenario) {
            continue;
        }
        stories.push_back({QString::fromStdString(scenario->name), titleOf(*scenario),
                           format::plain(firstSentence(textOf(*scenario)).toStdString(), kLineLength),
                           groupOf(*scenario), *scenario});
    }
    std::stable_sort(stories.begin(), stories.end(), [](const Story& a, const Story& b) {
        return a.group != b.group ? a.group < b.group : rank(a) < rank(b);
    });
    return stories;
}

} // namespace lockscope::ui
