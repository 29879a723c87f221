#include "ui/compare/compared_load.h"

#include "core/sim/scenario.h"
#include "ui/models/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope::ui {

namespace {

using replay::Measure;

struct Words // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(ComparedLoad)
};

struct Trait
{
    QString name;
    QString value;
};

// As exact as the scenario says it, with a space before the unit: "2 ms".
QString words(Duration time)
{
    QString text = QString::fromStdString(sim::durationText(time));
    const auto unit = std::find_if(text.begin(), text.end(), [](QChar one) { return one.isLetter(); });
    return unit == text.end() ? text : text.insert(unit - text.begin(), QLatin1Char(' '));
}

QString words(const sim::Range& range)
{
    if (range.exponential) {
        return Words::tr("%1 on average").arg(words(range.low));
    }
    return range.low == range.high ? words(range.low)
                                   : QStringLiteral("%1–%2").arg(words(range.low), words(range.high));
}

QString words(const std::optional<Duration>& limit) { return limit ? words(*limit) : Words::tr("no limit"); }

QString words(std::uint32_t low, std::uint32_t high)
{
    return low == high ? format::count(low)
                       : QStringLiteral("%1–%2").arg(format::count(low), format::count(high));
}

QString words(const sim::Arrival& arrival)
{
    switch (arrival.kind) {
    case sim::Arrival::Kind::atOnce:
        return Words::tr("at once");
    case sim::Arrival::Kind::together:
        return arrival.party == 0 ? Words::tr("all together")
                                  : Words::tr("%1 together").arg(format::count(arrival.party));
    case sim::Arrival::Kind::staggered:
        return Words::tr("one every %1").arg(words(arrival.gap));
    case sim::Arrival::Kind::poisson:
        return Words::tr("one every %1 on average").arg(words(arrival.gap));
    }
    return {};
}

// Every part of a load that can be said in a word or two; the same parts for every scenario.
std::vector<Trait> traitsOf(const sim::Scenario& scenario)
{
    const sim::Work& work = scenario.work;
    return {
        {Words::tr("hold"), words(work.hold)},
        {Words::tr("think"), words(work.think)},
        {Words::tr("cycles"), work.cycles == 0 ? Words::tr("no limit") : format::count(work.cycles)},
        {Words::tr("run time"), words(scenario.duration)},
        {Words::tr("re-entries"), words(work.reenterMin, work.reenterMax)},
        {Words::tr("waits at most"), words(work.acquireTimeout)},
        {Words::tr("permits"), words(work.permitsMin, work.permitsMax)},
        {Words::tr("arrival"), words(scenario.arrival)},
        {Words::tr("pace"), words(scenario.pace)},
        {Words::tr("locks"), format::count(scenario.locks.size())},
        {Words::tr("servers"), format::count(scenario.servers)},
        {Words::tr("deeds of the script"), format::count(scenario.script.size())},
        {Words::tr("writes"),
         sim::isReadWrite(scenario.recipe) ? format::percent(work.writePercent / 100.0) : QString()},
    };
}

std::optional<sim::Scenario> scenarioOf(const ComparedRun& run)
{
    const trace::Header& header = run.store().header();
    auto scenario = sim::parseScenario(header.scenarioToml, "trace");
    return header.scenarioToml.empty() || !scenario ? std::nullopt : std::optional(std::move(*scenario));
}

QString against(const QString& name, const QString& a, const QString& b)
{
    return Words::tr("%1 %2 against %3", "hold 2 ms against 5 ms").arg(name, a, b);
}

} // namespace

bool ComparedLoad::decides(Measure measure) const
{
    switch (measure) {
    case Measure::findings:
        return false;
    case Measure::wakeUpsPerRelease:
    case Measure::requestsPerAcquisition:
        return !sameClients; // of the recipe and how many there are, not of their times
    default:
        return !same();
    }
}

QString ComparedLoad::words() const
{
    if (!differences.isEmpty()) {
        return Words::tr("Not the same load: %1.").arg(differences.join(Words::tr(", ")));
    }
    return known ? QString() : Words::tr("A trace does not say what its load was: it may not be the same.");
}

ComparedLoad compareLoads(const ComparedRun& a, const ComparedRun& b)
{
    ComparedLoad load;
    const std::size_t clientsA = a.whole().state.clients.size();
    const std::size_t clientsB = b.whole().state.clients.size();
    load.sameClients = clientsA == clientsB;
    if (!load.sameClients) {
        load.differences.append(
            against(Words::tr("clients"), format::count(clientsA), format::count(clientsB)));
    }
    const auto scenarioA = scenarioOf(a);
    const auto scenarioB = scenarioOf(b);
    load.known = scenarioA && scenarioB;
    if (!load.known) {
        return load;
    }
    const std::vector<Trait> traitsA = traitsOf(*scenarioA);
    const std::vector<Trait> traitsB = traitsOf(*scenarioB);
    for (std::size_t i = 0; i < traitsA.size(); ++i) {
        const bool sayable = !traitsA[i].value.isEmpty() && !traitsB[i].value.isEmpty();
        if (sayable && traitsA[i].value != traitsB[i].value) {
            load.differences.append(against(traitsA[i].name, traitsA[i].value, traitsB[i].value));
        }
    }
    if (scenarioA->named != scenarioB->named) {
        load.differences.append(Words::tr("what single clients do"));
    }
    return load;
}

replay::Comparison judged(replay::Comparison comparison, const ComparedLoad& load)
{
    for (replay::ComparisonRow& row : comparison.rows) {
        if (load.decides(row.measure)) {
            row.ratio.reset();
            row.better = replay::Better::neither;
        }
    }
    return comparison;
}

} // namespace lockscope::ui
