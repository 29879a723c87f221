#include "core/workers/coordinator.h"

#include "core/base/numbers.h"
#include "core/sim/run/foreign_check.h"

#include <boost/json.hpp>

#include <algorithm>
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
    m_nodes->remove(kRunNode);
    for (auto names = m_nodes->names(); names && !m_nodes->isLost(); names = m_nodes->names()) {
        for (const std::string& name : *names)
            if (name == kGoNode || name == kEndNode || name.starts_with(sim::kDueNode))
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
        made = m_nodes->makeFolders();
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
    return m_nodes->create(kGoNode, json::serialize(json::value_from(m_names)));
}

Result<void> Coordinator::collect(const std::function<void(std::size_t rank)>& onEnd)
{
    const bool counts = std::ranges::any_of(m_plan.scenario.script, [](const sim::ScriptLine& line) {
        return line.when.kind == sim::Trigger::Kind::handoffs;
    });
    std::set<std::size_t> open;
    for (std::size_t rank = 0; rank < m_names.size(); ++rank)
        open.insert(rank);
    while (!open.empty()) {
        if (m_isEnded()) {
            if (m_wasEnded)
                return {};
            m_wasEnded = true;
            if (const Result<void> told = m_nodes->create(kEndNode, {}); !told)
                return told;
        }
        const auto names = m_nodes->names();
        if (!names)
            return m_nodes->lost();
        makeDue(*names);
        for (const std::size_t rank : std::set<std::size_t>(open)) {
            const std::string result = kResultNode + std::to_string(rank);
            if (isThere(*names, result))
                m_workers[rank].result = m_nodes->read(result).value_or("");
            else if (isThere(*names, m_names[rank]))
                continue;
            open.erase(rank);
            onEnd(rank);
        }
        if (counts)
            countHandoffs();
        if (!open.empty())
            m_nodes->turn(counts ? kCountEvery : kWatchEvery);
    }
    return {};
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
    std::uint64_t acquired = 0;
    for (std::size_t rank = 0; rank < m_names.size(); ++rank)
        if (const auto count = m_nodes->read(std::string(sim::kCountNode) + std::to_string(rank)))
            acquired += parseWhole<std::uint64_t>(*count).value_or(0);
    const std::vector<sim::ScriptLine>& script = m_plan.scenario.script;
    for (std::size_t line = 0; line < script.size(); ++line)
        if (script[line].when.kind == sim::Trigger::Kind::handoffs && acquired > script[line].when.count)
            makeDue(line);
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
