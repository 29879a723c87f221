#include "core/workers/coordinator.h"

#include "core/base/numbers.h"
#include "core/sim/run/cut_short.h"
#include "core/sim/run/foreign_check.h"

#include <boost/json.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockscope::workers {

namespace json = boost::json;

namespace {

constexpr Duration kWatchEvery = std::chrono::milliseconds(100);
constexpr Duration kCountEvery = std::chrono::milliseconds(10);
constexpr int kAttempts = 20;
constexpr std::size_t kMostBytes = 900'000; // of a node, by ZooKeeper's default limit

bool isThere(const std::vector<std::string>& names, const std::string& name)
{
    return std::ranges::find(names, name) != names.end();
}

} // namespace

Coordinator::Coordinator(RunPlace place, Plan plan, IsEnded isEnded)
    : m_place(std::move(place))
    , m_plan(std::move(plan))
    , m_isEnded(std::move(isEnded))
{}

Coordinator::~Coordinator()
{
    if (!m_isMade || m_nodes->isLost())
        return;
    const MonotonicTime end = m_nodes->hub().now() + m_place.sessionTimeout;
    while (!m_workers.empty() && m_plan.scenario.replaceWorkers && !m_nodes->isLost()) {
        const auto spare = spareOf(m_nodes->names().value_or(std::vector<std::string>()));
        if (!spare || !m_nodes->create(std::string(kTakeNode) + *spare, {}))
            break;
    }
    m_nodes->remove(kRunNode);
    for (auto names = m_nodes->names(); names && !m_nodes->isLost(); names = m_nodes->names()) {
        for (const std::string& name : *names)
            if (name == kGoNode || name == kEndNode || name.starts_with(sim::kDueNode) ||
                (name.starts_with(kTakeNode) && !isThere(*names, name.substr(kTakeNode.size()))))
                m_nodes->remove(name);
        if (names->empty() || m_nodes->hub().now() > end)
            break;
        m_nodes->turn(kWatchEvery);
    }
    m_nodes->removeFolders();
}

Result<void> Coordinator::open(bool joinForeign)
{
    if (const Result<void> fits = sim::checkShares(m_plan.scenario, m_plan.workers); !fits)
        return fits;
    const std::string plan = toText(m_plan);
    if (plan.size() > kMostBytes)
        return Error{ErrorCode::badUsage, message("The scenario is too long for a node of ZooKeeper."), {}};
    Result<std::unique_ptr<RunNodes>> nodes = RunNodes::open(m_place, m_isEnded);
    if (!nodes)
        return nodes.error();
    m_nodes = std::move(*nodes);
    if (!joinForeign)
        if (const Result<void> alone = checkForeign(); !alone)
            return alone;
    Result<void> made = {};
    for (int attempt = 0; attempt < kAttempts; ++attempt) { // a run that ends may remove the folder above
        made = m_nodes->makeFolders(m_isEnded);
        if (made)
            made = m_nodes->create(kRunNode, plan);
        if (made || made.error().code != ErrorCode::noNode)
            break;
    }
    if (!made)
        return made.error().code == ErrorCode::nodeExists
                   ? Error{ErrorCode::badUsage,
                           message("There is a run at %1 already, or one that ended moments ago.",
                                   m_place.path()),
                           message("Give another --run-id, or none.")}
                   : made.error();
    m_isMade = true;
    return {};
}

Result<void> Coordinator::checkForeign()
{
    std::optional<Result<void>> checked;
    const auto check = std::make_shared<sim::ForeignCheck>(zk::ReadHub(m_nodes->hub()), m_place.connect,
                                                           m_plan.scenario, m_plan.contact);
    check->start([&](Result<void> result) { checked = std::move(result); });
    while (!checked && !m_isEnded())
        m_nodes->serve(kCountEvery);
    check->stop();
    return checked.value_or(Error{ErrorCode::cancelled, message("Interrupted before the start."), {}});
}

Error Coordinator::notStarted(ErrorCode code, const Message& why) const
{
    return {code, why,
            message("Each worker is started with: lockscope-cli join %1 --connect %2", m_place.id,
                    m_place.connect)};
}

Result<void> Coordinator::start()
{
    const MonotonicTime end = m_nodes->hub().now() + m_place.wait;
    std::size_t there = 0;
    while (there < m_plan.workers) {
        if (m_isEnded())
            return Error{ErrorCode::cancelled, message("Interrupted before the start."), {}};
        if (m_nodes->isLost())
            return m_nodes->lost();
        if (m_nodes->hub().now() > end)
            return notStarted(ErrorCode::timedOut,
                              message("Of %1 workers only %2 came within %3 s.", m_plan.workers, there,
                                      std::chrono::floor<std::chrono::seconds>(m_place.wait).count()));
        m_names = m_nodes->names().value_or(std::vector<std::string>());
        std::erase_if(m_names, [](const std::string& name) { return !name.starts_with(kWorkerNode); });
        there = m_names.size();
        if (there < m_plan.workers)
            m_nodes->turn(kWatchEvery);
    }
    std::ranges::sort(m_names);
    m_names.resize(m_plan.workers);
    for (const std::string& name : m_names)
        m_workers.push_back({m_nodes->read(name).value_or("?"), {}});
    m_counts.resize(m_names.size());
    m_begun = m_nodes->hub().now();
    return m_nodes->create(kGoNode, json::serialize(json::value_from(m_names)));
}

Result<void> Coordinator::endEarly(std::string_view why) { return m_nodes->create(kEndNode, why); }

Result<void> Coordinator::collect(const OnDeath& onDeath)
{
    const bool counts = std::ranges::any_of(m_plan.scenario.script, [](const sim::ScriptLine& line) {
        return line.when.kind == sim::Trigger::Kind::handoffs;
    });
    for (std::size_t rank = 0; rank < m_names.size(); ++rank)
        m_open.insert(rank);
    while (!m_open.empty()) {
        if (m_isEnded()) {
            if (m_wasEnded)
                return {};
            m_wasEnded = true;
            if (const Result<void> told = endEarly({}); !told)
                return told;
        }
        const auto names = m_nodes->names();
        if (!names)
            return m_nodes->lost();
        makeDue(*names);
        if (const Message who = describeStall(*names); m_stall.empty() && !who.empty()) {
            m_stall = sim::cut_short::stalledText(who);
            if (const Result<void> told = endEarly(sim::cut_short::kStalled); !told)
                return told;
        }
        seeWhoEnded(*names);
        attendToDead(*names, onDeath);
        if (counts)
            countHandoffs();
        if (!m_open.empty())
            m_nodes->turn(counts ? kCountEvery : kWatchEvery);
    }
    return {};
}

void Coordinator::seeWhoEnded(const std::vector<std::string>& names)
{
    for (const std::size_t rank : std::set<std::size_t>(m_open)) {
        const std::string result = kResultNode + std::to_string(rank);
        const bool isDone = isThere(names, result);
        if (isDone)
            m_workers[rank].result = m_nodes->read(result).value_or("");
        if (isDone)
            m_open.erase(rank);
        if (isDone || (!isThere(names, m_names[rank]) && m_dead.insert(rank).second))
            m_lastEnd = m_nodes->hub().now();
    }
}

// A spare that comes late is waited for as long as others carry on.
void Coordinator::attendToDead(const std::vector<std::string>& names, const OnDeath& onDeath)
{
    const bool othersCarryOn = m_dead.size() < m_open.size();
    for (const std::size_t rank : std::set<std::size_t>(m_dead)) {
        const std::string who = m_workers[rank].who;
        const std::optional<std::string> spare = replaces() ? spareOf(names) : std::nullopt;
        const bool isReplaced = spare && replace(rank, *spare);
        if (!isReplaced && replaces() && othersCarryOn)
            continue;
        m_dead.erase(rank);
        if (!isReplaced)
            m_open.erase(rank);
        onDeath(rank, who, isReplaced ? m_workers[rank].who : "");
    }
}

std::optional<std::string> Coordinator::spareOf(const std::vector<std::string>& names) const
{
    const auto spare = std::ranges::find_if(names, [&](const std::string& name) {
        return name.starts_with(kWorkerNode) && !isThere(m_names, name) &&
               !isThere(names, std::string(kTakeNode) + name);
    });
    return spare == names.end() ? std::nullopt : std::optional(*spare);
}

bool Coordinator::replaces() const
{
    const auto& duration = m_plan.scenario.duration;
    return m_plan.scenario.replaceWorkers && !m_wasEnded && m_stall.empty() &&
           (!duration || m_nodes->hub().now() - m_begun < *duration);
}

// What the dead worker said of its clients is not true of the new one's.
bool Coordinator::replace(std::size_t rank, const std::string& spare)
{
    for (const std::string_view node : {sim::kStillNode, sim::kCountNode})
        m_nodes->remove(std::string(node) + std::to_string(rank));
    const json::object place{{"rank", rank}, {"missed_ns", (m_nodes->hub().now() - m_begun).count()}};
    if (!m_nodes->create(std::string(kTakeNode) + spare, json::serialize(place)))
        return false;
    m_names[rank] = spare;
    m_workers[rank].replaced.push_back(
        std::exchange(m_workers[rank].who, m_nodes->read(spare).value_or("?")));
    m_countOfReplaced += std::exchange(m_counts[rank], 0);
    return true;
}

// What workers have seen.
void Coordinator::makeDue(const std::vector<std::string>& names)
{
    for (const std::string& name : names) {
        if (!name.starts_with(sim::kFiredNode))
            continue;
        const std::string number = name.substr(sim::kFiredNode.size());
        if (const auto line = parseWhole<std::size_t>(number.substr(0, number.find('-'))))
            makeDue(*line);
    }
}

void Coordinator::makeDue(std::size_t line)
{
    if (m_due.insert(line).second)
        (void)m_nodes->create(std::string(sim::kDueNode) + std::to_string(line),
                              {}); // or the session is lost
}

void Coordinator::countHandoffs()
{
    for (std::size_t rank = 0; rank < m_names.size(); ++rank)
        if (const auto count = m_nodes->read(std::string(sim::kCountNode) + std::to_string(rank)))
            m_counts[rank] = parseWhole<std::uint64_t>(*count).value_or(m_counts[rank]);
    const std::uint64_t acquired = std::accumulate(m_counts.begin(), m_counts.end(), m_countOfReplaced);
    const std::vector<sim::ScriptLine>& script = m_plan.scenario.script;
    for (std::size_t line = 0; line < script.size(); ++line)
        if (script[line].when.kind == sim::Trigger::Kind::handoffs && acquired > script[line].when.count)
            makeDue(line);
}

// The clients of all workers that are open, if none of them continues and one is stopped: without that, they
// may wait for other programs.
Message Coordinator::describeStall(const std::vector<std::string>& names)
{
    // The nodes of a dead worker's clients go when their sessions expire, and others continue.
    const Duration patience = sim::cut_short::stallPatience(m_plan.scenario.sessionTimeout);
    if (m_lastEnd != MonotonicTime{} && m_nodes->hub().now() - m_lastEnd < patience)
        return {};
    std::vector<Message> all;
    bool stopped = false;
    for (const std::size_t rank : m_open) {
        if (m_dead.contains(rank))
            continue;
        const std::string node = std::string(sim::kStillNode) + std::to_string(rank);
        std::string who = isThere(names, node) ? m_nodes->read(node).value_or("") : "";
        // A worker that has not read yet what is due may have a client that it lets go.
        const std::size_t due = who.find(' ');
        if (who.empty() || parseWhole<std::size_t>(who.substr(0, due)) != m_due.size())
            return {};
        who.erase(0, due + 1);
        if (who.starts_with(sim::kStopped)) {
            stopped = true;
            who.erase(0, sim::kStopped.size());
        }
        all.emplace_back(std::move(who));
    }
    return stopped ? listed(all) : Message();
}

std::vector<std::string> Coordinator::missedLines()
{
    std::vector<std::string> missed;
    for (const std::size_t line : m_due)
        if (line < m_plan.scenario.script.size() &&
            sim::hasMovingTarget(m_plan.scenario.script[line].action) &&
            m_nodes->read(std::string(sim::kDueNode) + std::to_string(line)).value_or("?").empty())
            missed.push_back(m_plan.scenario.script[line].text);
    return missed;
}

} // namespace lockscope::workers
