#include "core/workers/seat.h"

#include "core/sim/run/cut_short.h"

#include <boost/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>

namespace lockscope::workers {

namespace json = boost::json;

namespace {

constexpr int kPlanFormat = 2;
constexpr Duration kLook = std::chrono::milliseconds(100);

std::string hostAndProcess()
{
    std::array<char, 256> host{};
    const bool known = ::gethostname(host.data(), host.size() - 1) == 0;
    return std::string(known ? host.data() : "?") + ", process " + std::to_string(::getpid());
}

Error madeByAnotherVersion()
{
    return {ErrorCode::badInput, message("The run was made by another version of LockScope."), {}};
}

} // namespace

std::string toText(const Plan& plan)
{
    return json::serialize(json::object{{"format", kPlanFormat},
                                        {"workers", plan.workers},
                                        {"contact_ns", plan.contact.count()},
                                        {"grace_ns", plan.grace.count()},
                                        {"restricted", plan.restricted},
                                        {"name", plan.scenario.name},
                                        {"scenario", sim::toToml(plan.scenario)}});
}

Result<Plan> planFrom(const std::string& text)
{
    boost::system::error_code unread;
    const json::value value = json::parse(text, unread);
    const json::object* plan = unread ? nullptr : value.if_object();
    const json::value* format = plan ? plan->if_contains("format") : nullptr;
    if (!format || *format != kPlanFormat)
        return Error{ErrorCode::badInput,
                     message("The run was made by another version of LockScope, or is not one."),
                     message("Use the same version on all machines.")};
    Result<sim::Scenario> scenario = sim::parseScenario(std::string_view(plan->at("scenario").as_string()),
                                                        std::string(plan->at("name").as_string()) + ".toml");
    if (!scenario)
        return scenario.error();
    return Plan{std::move(*scenario),
                static_cast<std::uint32_t>(plan->at("workers").to_number<std::int64_t>()),
                Duration(plan->at("contact_ns").to_number<std::int64_t>()),
                Duration(plan->at("grace_ns").to_number<std::int64_t>()), plan->at("restricted").as_bool()};
}

Result<std::unique_ptr<Seat>> Seat::take(const RunPlace& place, const IsEnded& isEnded)
{
    Result<std::unique_ptr<RunNodes>> nodes = RunNodes::open(place, isEnded);
    if (!nodes)
        return nodes.error();
    std::unique_ptr<Seat> seat(new Seat(std::move(*nodes)));
    const MonotonicTime end = seat->m_nodes->hub().now() + place.wait;
    for (;;) {
        if (const auto text = seat->m_nodes->read(kRunNode)) {
            Result<Plan> plan = planFrom(*text);
            if (!plan)
                return plan.error();
            if (!plan->restricted && !place.credentials.empty())
                return Error{ErrorCode::badUsage,
                             message("The run %1 is for everyone: credentials have no effect.", place.id),
                             message("Leave out --auth-file, or give it to lockscope-cli run, too.")};
            seat->m_plan = std::move(*plan);
            return seat;
        }
        if (seat->m_nodes->wasRefused())
            return Error{ErrorCode::noAuth, message("No permission to read the run at %1.", place.path()),
                         message("Give the --auth-file of the run.")};
        if (isEnded())
            return Error{ErrorCode::cancelled, message("Interrupted before the start."), {}};
        if (seat->m_nodes->isLost())
            return seat->m_nodes->lost();
        if (seat->m_nodes->hub().now() >= end)
            return Error{ErrorCode::timedOut, message("There is no run at %1.", place.path()),
                         message("Start it with lockscope-cli run --workers, with the same --run-id.")};
        seat->m_nodes->serve(kLook);
    }
}

bool Seat::hasNode(const char* name) const { return std::ranges::find(m_seen, name) != m_seen.end(); }

void Seat::look()
{
    if (!m_nodes->isLost())
        m_seen = m_nodes->names().value_or(std::vector<std::string>());
}

Error Seat::gone() const
{
    return m_nodes->isLost() ? m_nodes->lost()
                             : Error{ErrorCode::sessionLost,
                                     message("The coordinator of the run has gone: it is over."),
                                     {}};
}

Result<bool> Seat::isAmongTheFirst(const std::string& name)
{
    const auto go = m_nodes->read(kGoNode);
    if (!go)
        return gone();
    boost::system::error_code unread;
    const json::value names = json::parse(*go, unread);
    if (unread || !names.is_array())
        return madeByAnotherVersion();
    const auto own = std::ranges::find(names.get_array(), json::value(name));
    m_rank = static_cast<std::uint32_t>(own - names.get_array().begin());
    return own != names.get_array().end();
}

Result<std::optional<sim::Share>> Seat::takeOver(const std::string& node)
{
    const auto text = m_nodes->read(node);
    if (!text)
        return gone();
    if (text->empty())
        return std::optional<sim::Share>();
    boost::system::error_code unread;
    const json::value place = json::parse(*text, unread);
    if (unread || !place.is_object())
        return madeByAnotherVersion();
    m_rank = place.at("rank").to_number<std::uint32_t>();
    return std::optional(share(Duration(place.at("missed_ns").to_number<std::int64_t>())));
}

sim::Share Seat::share(Duration missed) const
{
    return {m_rank, m_plan.workers, m_nodes->place().path(), missed, m_nodes->place().credentials};
}

Result<std::optional<sim::Share>> Seat::waitForStart(const IsEnded& isEnded,
                                                     const std::function<void()>& onSpare)
{
    std::random_device random;
    const std::string name = kWorkerNode + std::to_string(random()) + "-" + std::to_string(random());
    if (const Result<void> made = m_nodes->create(name, hostAndProcess()); !made)
        return made.error();
    m_own.push_back(name);
    const std::string take = std::string(kTakeNode) + name;
    bool isSpare = false;
    for (look();; look()) {
        if (hasNode(take.c_str()))
            return takeOver(take);
        if (isEnded())
            return Error{ErrorCode::cancelled, message("Interrupted before the start."), {}};
        if (m_nodes->isLost() || !hasNode(kRunNode))
            return gone();
        if (!isSpare && hasNode(kGoNode)) {
            const Result<bool> first = isAmongTheFirst(name);
            if (!first)
                return first.error();
            if (*first)
                return std::optional(share({}));
            if (!m_plan.scenario.replaceWorkers)
                return Error{ErrorCode::busy,
                             message("The run %1 has its workers already.", m_nodes->place().id),
                             message("A spare worker is one of a scenario with replace_workers = true.")};
            isSpare = true;
            onSpare();
        }
        m_nodes->turn(kLook);
    }
}

Seat::Standing Seat::standing()
{
    m_nodes->turn(Duration{});
    look();
    if (m_nodes->isLost() || !hasNode(kRunNode))
        return Standing::alone;
    if (!hasNode(kEndNode))
        return Standing::runs;
    if (m_whyEnded.empty())
        m_whyEnded = m_nodes->read(kEndNode) == sim::cut_short::kStalled ? sim::cut_short::kStalled
                                                                         : sim::cut_short::kInterrupted;
    return Standing::ended;
}

bool Seat::deliver(const std::string& result, const IsEnded& isEnded)
{
    const std::string node = kResultNode + std::to_string(m_rank);
    if (standing() == Standing::alone || !m_nodes->create(node, result))
        return false;
    m_own.push_back(node);
    while (standing() != Standing::alone && !isEnded())
        m_nodes->turn(kLook);
    return !m_nodes->isLost();
}

void Seat::leave()
{
    if (m_nodes->isLost())
        return;
    for (const std::string& node : m_own)
        m_nodes->remove(node);
    m_nodes->removeFolders();
}

} // namespace lockscope::workers
