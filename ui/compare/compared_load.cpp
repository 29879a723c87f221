#include "ui/compare/compared_load.h"

#include "core/sim/load.h"
#include "ui/models/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope::ui {

namespace {

using sim::LoadTrait;

struct Words // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(ComparedLoad)
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

QString titleOf(LoadTrait trait)
{
    switch (trait) {
    case LoadTrait::hold:
        return Words::tr("hold");
    case LoadTrait::think:
        return Words::tr("think");
    case LoadTrait::cycles:
        return Words::tr("cycles");
    case LoadTrait::runTime:
        return Words::tr("run time");
    case LoadTrait::reentries:
        return Words::tr("re-entries");
    case LoadTrait::waitsAtMost:
        return Words::tr("waits at most");
    case LoadTrait::permits:
        return Words::tr("permits");
    case LoadTrait::arrival:
        return Words::tr("arrival");
    case LoadTrait::pace:
        return Words::tr("pace");
    case LoadTrait::locks:
        return Words::tr("locks");
    case LoadTrait::servers:
        return Words::tr("servers");
    case LoadTrait::deeds:
        return Words::tr("deeds of the script");
    case LoadTrait::writes:
        return Words::tr("writes");
    case LoadTrait::named:
        return Words::tr("what single clients do");
    }
    return {};
}

// Empty where it takes more than a word or two.
QString words(LoadTrait trait, const sim::Scenario& scenario)
{
    const sim::Work& work = scenario.work;
    switch (trait) {
    case LoadTrait::hold:
        return words(work.hold);
    case LoadTrait::think:
        return words(work.think);
    case LoadTrait::cycles:
        return work.cycles == 0 ? Words::tr("no limit") : format::count(work.cycles);
    case LoadTrait::runTime:
        return words(scenario.duration);
    case LoadTrait::reentries:
        return words(work.reenterMin, work.reenterMax);
    case LoadTrait::waitsAtMost:
        return words(work.acquireTimeout);
    case LoadTrait::permits:
        return words(work.permitsMin, work.permitsMax);
    case LoadTrait::arrival:
        return words(scenario.arrival);
    case LoadTrait::pace:
        return words(scenario.pace);
    case LoadTrait::locks:
        return format::count(scenario.locks.size());
    case LoadTrait::servers:
        return format::count(scenario.servers);
    case LoadTrait::deeds:
        return format::count(scenario.script.size());
    case LoadTrait::writes:
        return format::percent(work.writePercent / 100.0);
    case LoadTrait::named:
        break;
    }
    return {};
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
    load.match.sameClients = clientsA == clientsB;
    if (!load.match.sameClients) {
        load.differences.append(
            against(Words::tr("clients"), format::count(clientsA), format::count(clientsB)));
    }
    const auto scenarioA = scenarioOf(a);
    const auto scenarioB = scenarioOf(b);
    load.known = scenarioA && scenarioB;
    if (load.known) {
        for (const LoadTrait trait : sim::loadDifferences(*scenarioA, *scenarioB)) {
            const QString one = words(trait, *scenarioA), other = words(trait, *scenarioB);
            load.differences.append(one.isEmpty() ? titleOf(trait) : against(titleOf(trait), one, other));
        }
    }
    load.match.same = load.known && load.differences.isEmpty();
    return load;
}

} // namespace lockscope::ui
