#include "core/lesson/evaluation.h"

#include "core/base/numbers.h"
#include "core/replay/findings/wording.h"
#include "core/trace/event_fields.h"

#include <algorithm>
#include <utility>

namespace lockscope::lesson {

RunView::RunView(std::shared_ptr<const trace::TraceStore> store)
    : m_store(std::move(store))
{}

void RunView::advance(const std::function<void(const trace::Event&)>& inspect)
{
    while (m_position < m_store->count()) {
        replay::apply(m_state, *m_store, m_position);
        if (const trace::Event& event = m_store->at(m_position++); inspect)
            inspect(event);
    }
}

const replay::ClientRow* RunView::client(std::string_view name) const
{
    const auto found = std::find_if(m_state.clients.begin(), m_state.clients.end(),
                                    [&](const replay::ClientRow& row) { return row.name == name; });
    return found == m_state.clients.end() ? nullptr : &*found;
}

std::string RunView::nameOf(ClientId client) const
{
    const replay::ClientRow* row = m_state.client(client);
    return row ? std::string(row->name) : std::string();
}

namespace {

using Kind = Metric::Kind;
using replay::ClientPhase;

EventIndex indexOf(std::size_t position) { return EventIndex{static_cast<EventIndex::Value>(position)}; }

bool isWakeUp(const trace::Event& event)
{
    const auto* fired = std::get_if<trace::WatchFired>(&event.what);
    return fired && event.client.valid() &&
           (fired->kind == trace::WatchKind::deleted || fired->kind == trace::WatchKind::childrenChanged);
}

std::string_view kindOf(const trace::Event& event)
{
    return std::visit([](const auto& what) { return trace::kindName<std::remove_cvref_t<decltype(what)>>; },
                      event.what);
}

} // namespace

class MetricEvaluator
{
public:
    MetricEvaluator(const Metric& metric, const RunView& run)
        : m_metric(metric)
        , m_run(run)
        , m_next(run.marked())
    {
        m_value.known = metric.kind != Kind::milliseconds;
    }

    Value value()
    {
        if (isMeasuredSinceMark())
            evaluateSinceMark();
        else
            evaluateMoment();
        return whole();
    }

private:
    void evaluateMoment()
    {
        m_value = {};
        m_clients.clear();
        if (m_metric.kind == Kind::nodes || m_metric.kind == Kind::firstInLine ||
            m_metric.kind == Kind::watcherOf)
            evaluateQueues();
        else if (m_metric.kind == Kind::violations)
            evaluateFinding();
        else if (m_metric.kind == Kind::value)
            evaluateValue();
        else
            for (const replay::ClientRow& row : m_run.state().clients)
                evaluateOne(row);
    }
    bool isMeasuredSinceMark() const
    {
        switch (m_metric.kind) {
        case Kind::wakeUps:
        case Kind::requests:
        case Kind::events:
        case Kind::milliseconds:
        case Kind::woken:
        case Kind::nextHolder:
        case Kind::refused:
        case Kind::conflicts:
            return true;
        default:
            return false;
        }
    }

    void add(EventIndex by)
    {
        ++m_value.number;
        updateProof(by);
    }
    void add(ClientId client, EventIndex by)
    {
        if (client.valid() && std::find(m_clients.begin(), m_clients.end(), client) == m_clients.end())
            m_clients.push_back(client);
        updateProof(by);
    }
    void updateProof(EventIndex by)
    {
        if (by.valid() && (!m_value.proof.valid() || m_value.proof < by))
            m_value.proof = by;
    }
    // The mutex that guards a semaphore's acquires. Holding it is not holding a lease.
    bool isAcquireMutex(LockId lock) const
    {
        const replay::LockRow* before =
            lock.value > 0 ? m_run.state().lock(LockId{static_cast<LockId::Value>(lock.value - 1)}) : nullptr;
        return before && isSemaphore(before->kind());
    }
    bool isNamed(ClientId client) const
    {
        return m_metric.client.empty() || m_run.nameOf(client) == m_metric.client;
    }

    void evaluateSinceMark()
    {
        for (; m_next < m_run.position() && !m_settled; ++m_next)
            m_settled = evaluateOne(m_run.store().at(m_next), indexOf(m_next));
    }

    // True: no later event matters.
    bool evaluateOne(const trace::Event& event, EventIndex index)
    {
        switch (m_metric.kind) {
        case Kind::wakeUps:
            if (isWakeUp(event))
                add(index);
            return false;
        case Kind::woken:
            if (isWakeUp(event))
                add(event.client, index);
            return false;
        case Kind::requests: {
            const auto* request = std::get_if<trace::Request>(&event.what);
            if (request && event.client.valid() && isNamed(event.client) &&
                (!m_metric.op || *m_metric.op == request->op))
                add(index);
            return false;
        }
        case Kind::events:
            if (kindOf(event) == m_metric.event && isNamed(event.client))
                add(index);
            return false;
        case Kind::milliseconds:
            if (kindOf(event) != m_metric.event || !isNamed(event.client))
                return false;
            m_value.number =
                static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                               m_run.state().pauses.without(timeOfMark(), event.at))
                                               .count());
            m_value.known = true;
            updateProof(index);
            return true;
        case Kind::nextHolder:
            if (!std::holds_alternative<trace::Acquired>(event.what) || isAcquireMutex(event.lock))
                return false;
            add(event.client, index);
            return true;
        default: {
            const auto* use = std::get_if<trace::ResourceUse>(&event.what);
            const auto wanted = m_metric.kind == Kind::refused ? trace::ResourceAction::refused
                                                               : trace::ResourceAction::conflict;
            if (use && use->action == wanted)
                add(event.client, index);
            return false;
        }
        }
    }

    TraceTime timeOfMark() const
    {
        return m_run.marked() == 0 ? TraceTime{} : m_run.store().at(m_run.marked() - 1).at;
    }

    void evaluateOne(const replay::ClientRow& row)
    {
        if (m_metric.kind == Kind::depth) {
            if (isNamed(row.id)) {
                m_value.number = row.holds() ? row.depth : 0;
                updateProof(row.depthBy.valid() ? row.depthBy : row.phaseBy);
            }
            return;
        }
        if (m_metric.kind == Kind::watchedBy) {
            if (isNamed(row.id))
                row.forEach([&](const replay::LockUse& one) {
                    if (!one.watches.empty())
                        add(m_run.state().ownerOf(one.watchLock.valid() ? one.watchLock : one.lock,
                                                  one.watches),
                            one.watchBy);
                });
            return;
        }
        row.forEach([&](const replay::LockUse& one) {
            const bool holds = one.phase == ClientPhase::holding && !isAcquireMutex(one.lock);
            const bool counts = m_metric.kind == Kind::holder      ? holds && !one.isStale
                                : m_metric.kind == Kind::believers ? holds
                                                                   : one.waits();
            if (counts)
                add(row.id, one.phaseBy);
        });
    }

    void evaluateQueues()
    {
        for (const replay::LockRow& lock : m_run.state().locks) {
            if (isAcquireMutex(lock.id))
                continue;
            for (const replay::NodeRow& node : lock.queue) {
                if (m_metric.kind == Kind::watcherOf) {
                    if (isNamed(node.owner))
                        addWatchers(lock.id, node.name);
                    continue;
                }
                if (m_metric.kind == Kind::firstInLine) {
                    add(node.owner, node.createdBy);
                    return;
                }
                if (isNamed(node.owner))
                    add(node.createdBy);
            }
        }
        if (m_metric.kind == Kind::nodes && !m_metric.client.empty())
            updateProofByPhases();
    }

    // A node exists before the reply to its create, so the proof must include the event by which the client
    // learned of its node.
    void updateProofByPhases()
    {
        for (const replay::ClientRow& row : m_run.state().clients)
            if (isNamed(row.id))
                row.forEach([&](const replay::LockUse& one) { updateProof(one.phaseBy); });
    }

    void addWatchers(LockId lock, trace::Text node)
    {
        for (const replay::ClientRow& row : m_run.state().clients)
            row.forEach([&](const replay::LockUse& one) {
                const LockId at = one.watchLock.valid() ? one.watchLock : one.lock;
                if (one.watches == node && at == lock)
                    add(row.id, one.watchBy);
            });
    }

    void evaluateFinding()
    {
        const replay::Finding& finding = m_run.state().findings.of(m_metric.finding);
        m_value.number = finding.violated;
        if (!finding.violations.empty())
            updateProof(finding.violations.front().at);
    }

    void evaluateValue()
    {
        m_value.known = false;
        for (const replay::LockRow& lock : m_run.state().locks)
            if (const auto number = parseWhole<std::uint64_t>(lock.value)) {
                m_value.number = *number;
                m_value.known = true;
            }
    }

    Value whole() const
    {
        Value value = m_value;
        if (m_metric.namesClients()) {
            std::vector<ClientId> clients = m_clients;
            std::sort(clients.begin(), clients.end());
            for (const ClientId client : clients)
                value.clients.push_back(m_run.nameOf(client));
            value.number = clients.size();
        }
        value.counted = isMeasuredSinceMark() && value.proof.valid();
        // An absence is proved by the last event.
        for (std::size_t i = m_run.position(); !value.proof.valid() && i > 0; --i)
            if (const ClientId client = m_run.store().at(i - 1).client; client.valid() && isNamed(client))
                value.proof = indexOf(i - 1);
        if (!value.proof.valid() && m_run.position() > 0)
            value.proof = indexOf(m_run.position() - 1);
        return value;
    }

    const Metric& m_metric;
    const RunView& m_run;
    std::size_t m_next;     // the first event since the mark that is not in the value
    bool m_settled = false; // no later event matters
    Value m_value;
    std::vector<ClientId> m_clients;
};

namespace {

std::vector<std::string> sorted(std::vector<std::string> names)
{
    std::sort(names.begin(), names.end());
    return names;
}

bool holds(const Predicate& predicate, const Value& value)
{
    if (!value.known)
        return false;
    if (!predicate.number)
        return sorted(predicate.clients) == sorted(value.clients);
    switch (predicate.relation) {
    case Predicate::Relation::is:
        return value.number == *predicate.number;
    case Predicate::Relation::moreThan:
        return value.number > *predicate.number;
    case Predicate::Relation::lessThan:
        return value.number < *predicate.number;
    }
    return false;
}

} // namespace

Value evaluate(const Metric& metric, const RunView& run) { return MetricEvaluator(metric, run).value(); }

ConditionResult evaluate(const Condition& condition, const RunView& run)
{
    return ConditionEvaluator(condition, run).evaluate();
}

ConditionEvaluator::ConditionEvaluator(const Condition& condition, const RunView& run)
    : m_condition(condition)
{
    for (const Predicate& predicate : condition.all)
        m_measures.emplace_back(predicate.metric, run);
}

ConditionEvaluator::~ConditionEvaluator() = default;

ConditionResult ConditionEvaluator::evaluate()
{
    ConditionResult verdict{true};
    for (std::size_t i = 0; i < m_measures.size(); ++i) {
        const Value value = m_measures[i].value();
        if (!holds(m_condition.all[i], value))
            return {false, value.proof, value.counted};
        verdict.proof = value.proof;
        verdict.counted = value.counted;
    }
    return verdict;
}

EventIndex messageOf(const Pointer& pointer, const RunView& run)
{
    EventIndex found = EventIndex::none();
    for (std::size_t i = 0; i < run.position(); ++i) {
        const trace::Event& event = run.store().at(i);
        const auto* request = std::get_if<trace::Request>(&event.what);
        if (!request || request->op != pointer.op || run.nameOf(event.client) != pointer.name)
            continue;
        found = indexOf(i);
        if (i >= run.marked())
            break;
    }
    return found;
}

Answer answer(const Question& question, const RunView& run)
{
    Answer answer;
    const auto prove = [&](EventIndex proof, bool counted) {
        answer.proof = proof;
        answer.moment = counted ? proof.value + std::size_t{1} : run.position();
    };
    if (question.kind == Question::Kind::options) {
        for (std::size_t i = 0; i < question.options.size(); ++i) {
            const ConditionResult verdict = evaluate(question.options[i].when, run);
            prove(verdict.proof, verdict.counted);
            if (verdict.holds) {
                answer.is = Bet{i, 0, {}};
                return answer;
            }
        }
        return answer;
    }
    const Value value = evaluate(*question.metric, run);
    prove(value.proof, value.counted);
    if (value.known)
        answer.is =
            question.kind == Question::Kind::number ? Bet{0, value.number, {}} : Bet{0, 0, value.clients};
    return answer;
}

const Text* betrayedBy(const Question& question, const Bet& bet, const Answer& answer)
{
    if (question.kind != Question::Kind::options || bet.option >= question.options.size() ||
        isRight(question, bet, answer) || question.options[bet.option].betrays.empty())
        return nullptr;
    return &question.options[bet.option].betrays;
}

bool isRight(const Question& question, const Bet& bet, const Answer& answer)
{
    if (!answer.is)
        return false;
    switch (question.kind) {
    case Question::Kind::options:
        return bet.option == answer.is->option;
    case Question::Kind::number:
        return bet.number == answer.is->number;
    case Question::Kind::who:
        return sorted(bet.clients) == sorted(answer.is->clients);
    }
    return false;
}

Bet wrongBet(const Question& question, const Answer& answer, const RunView& run)
{
    const Bet is = answer.is.value_or(Bet{});
    switch (question.kind) {
    case Question::Kind::options:
        return {(is.option + 1) % question.options.size(), 0, {}};
    case Question::Kind::number:
        return {0, is.number + 1, {}};
    case Question::Kind::who:
        break;
    }
    for (const replay::ClientRow& row : run.state().clients)
        if (is.clients != std::vector{std::string(row.name)})
            return {0, 0, {std::string(row.name)}};
    return {};
}

std::string words(const Question& question, const Bet& bet, bool chinese)
{
    if (question.kind == Question::Kind::options)
        return question.options.at(bet.option).text.in(chinese);
    if (question.kind == Question::Kind::number)
        return std::to_string(bet.number);
    std::string names;
    for (const std::string& name : bet.clients)
        names += (names.empty() ? "" : chinese ? "、" : ", ") + name;
    return !names.empty() ? names : chinese ? "没有客户端" : "no client";
}

std::string words(const Condition& condition, const RunView& run)
{
    std::string text;
    for (const Predicate& predicate : condition.all) {
        const Value value = evaluate(predicate.metric, run);
        std::string is;
        if (!value.known)
            is = "unknown";
        else if (!predicate.metric.namesClients())
            is = std::to_string(value.number);
        else
            for (const std::string& name : value.clients)
                is.append(is.empty() ? "" : ", ").append(name);
        if (is.empty())
            is = "no client";
        text.append(text.empty() ? "" : "; ").append(wordsOf(predicate)).append(": ").append(is);
    }
    return text;
}

std::string words(const RunView& run, EventIndex event)
{
    if (!event.valid() || event.value >= run.store().count())
        return {};
    const trace::Event& one = run.store().at(event);
    std::string text = "event " + std::to_string(event.value) + " at " + replay::wording::duration(one.at);
    if (one.client.valid())
        text += ", " + run.nameOf(one.client);
    text.append(": ").append(kindOf(one));
    const auto detail = [&text](std::string_view name, const auto& field) {
        using Field = std::remove_cvref_t<decltype(field)>;
        if constexpr (std::is_same_v<Field, trace::Text>) {
            if (name == "node" && !field.empty())
                text.append(" ").append(field.size() > 10 ? field.substr(field.size() - 10) : field);
            else if (!field.empty() && field.size() <= 60)
                text.append(" ").append(field);
        } else if constexpr (std::is_same_v<Field, MessageView>) {
            if (const std::string english = field.english(); !english.empty() && english.size() <= 60)
                text.append(" ").append(english);
        }
    };
    std::visit([&](const auto& what) { trace::visitFields(what, detail); }, one.what);
    return text;
}

} // namespace lockscope::lesson
