#include "ui/shell/run/run_title.h"

#include "core/sim/scenario/scenario.h"
#include "ui/models/style/format.h"
#include "ui/texts/core_messages.h"
#include "ui/welcome/scenario_entry.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <map>

namespace lockscope::ui {

namespace {

struct RunTitleTexts // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(RunTitle)
};

constexpr int kMaxTitleLength = 40;

// True for "Five clients, one lock" and 5.
bool titleNamesCount(const QString& title, std::size_t count)
{
    static const std::map<std::size_t, QString> words{
        {2, QStringLiteral("two")},  {3, QStringLiteral("three")}, {4, QStringLiteral("four")},
        {5, QStringLiteral("five")}, {10, QStringLiteral("ten")},  {1000, QStringLiteral("thousand")}};
    const auto word = words.find(count);
    return word != words.end() &&
           title.toLower().split(QRegularExpression(QStringLiteral("\\W+"))).contains(word->second);
}

} // namespace

QString scenarioTitle(const trace::Header& header)
{
    const QString name = format::plain(header.scenario, kMaxTitleLength);
    for (const ScenarioEntry& story : builtInScenarios()) {
        if (story.name == name) {
            return story.title;
        }
    }
    return format::plain(translateCoreText(header.title).toStdString(), kMaxTitleLength);
}

bool titleFitsClientCount(const trace::Header& header, std::size_t clients)
{
    const auto& all = sim::builtIns();
    if (std::none_of(all.begin(), all.end(), [&](const auto& one) { return one.name == header.scenario; })) {
        return true;
    }
    const auto scenario = sim::loadScenario(header.scenario);
    const std::size_t titleCount = scenario ? sim::participants(*scenario).size() : clients;
    return titleCount == clients || !titleNamesCount(QString::fromStdString(scenario->title), titleCount);
}

QString countedTitle(std::size_t locks, std::size_t clients)
{
    const QString what = RunTitleTexts::tr("%Ln locks", nullptr, static_cast<int>(locks));
    return RunTitleTexts::tr("%1 · %Ln clients", nullptr, static_cast<int>(clients)).arg(what);
}

QString runTitle(const trace::Header& header)
{
    const auto scenario = sim::parseScenario(header.scenarioToml, "trace");
    if (!header.scenarioToml.empty() && scenario) {
        const std::size_t clients = sim::participants(*scenario).size();
        if (!titleFitsClientCount(header, clients)) {
            return countedTitle(scenario->locks.size(), clients);
        }
    }
    const QString title = scenarioTitle(header);
    return title.isEmpty() ? format::plain(header.scenario, kMaxTitleLength) : title;
}

} // namespace lockscope::ui
