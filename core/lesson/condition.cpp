#include "core/lesson/condition.h"

#include "core/sim/script/script_text.h"
#include "core/sim/script/text_scan.h"
#include "core/trace/event_fields.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope::lesson {

namespace {

using Kind = Metric::Kind;

// Whether the name of a client follows.
enum class Client : std::uint8_t { none, maybe, always };

struct Form
{
    std::string_view words;
    Kind kind;
    Client client;
    std::string_view before = " of "; // the words before the client's name
};

constexpr std::array kForms = {Form{"wake-ups", Kind::wakeUps, Client::none},
                               Form{"requests", Kind::requests, Client::maybe},
                               Form{"events", Kind::events, Client::maybe},
                               Form{"milliseconds until", Kind::milliseconds, Client::maybe},
                               Form{"nodes", Kind::nodes, Client::maybe},
                               Form{"depth", Kind::depth, Client::always},
                               Form{"violations", Kind::violations, Client::none},
                               Form{"value", Kind::value, Client::none},
                               Form{"woken", Kind::woken, Client::none},
                               Form{"holder", Kind::holder, Client::none},
                               Form{"believers", Kind::believers, Client::none},
                               Form{"waiters", Kind::waiters, Client::none},
                               Form{"next holder", Kind::nextHolder, Client::none},
                               Form{"first in line", Kind::firstInLine, Client::none},
                               Form{"watcher", Kind::watcherOf, Client::always},
                               Form{"watched", Kind::watchedBy, Client::always, " by "},
                               Form{"refused", Kind::refused, Client::none},
                               Form{"conflicts", Kind::conflicts, Client::none}};

// Parses the text between the metric's words and the client's name.
bool takeArgument(std::string_view argument, Metric& metric)
{
    switch (metric.kind) {
    case Kind::requests:
        metric.op = trace::enumFrom<Operation>(argument);
        return argument.empty() || metric.op;
    case Kind::events:
    case Kind::milliseconds:
        metric.event = argument;
        return sim::isEventKind(argument);
    default:
        return argument.empty();
    }
}

std::optional<Metric> parseMetricForm(const Form& form, std::string_view rest)
{
    Metric metric;
    metric.kind = form.kind;
    if (form.kind == Kind::violations) {
        const auto finding = sim::consumePrefix(rest, " of ") ? trace::findingNamed(rest) : std::nullopt;
        metric.finding = finding.value_or(replay::FindingKind{});
        return finding ? std::optional(metric) : std::nullopt;
    }
    if (form.client != Client::none)
        if (const std::size_t at = rest.find(form.before); at != std::string_view::npos) {
            metric.client = rest.substr(at + form.before.size());
            rest = rest.substr(0, at);
            if (metric.client.empty() || metric.client.size() > 40)
                return std::nullopt;
        }
    if (form.client == Client::always && metric.client.empty())
        return std::nullopt;
    if (!rest.empty() && !sim::consumePrefix(rest, " "))
        return std::nullopt;
    return takeArgument(rest, metric) ? std::optional(metric) : std::nullopt;
}

bool takeClients(std::string_view text, std::vector<std::string>& clients)
{
    if (text == "no client")
        return true;
    for (;;) {
        const std::size_t comma = text.find(", ");
        const std::string_view name = text.substr(0, comma);
        if (name.empty() || name.size() > 40 || name.ends_with(" and"))
            return false;
        clients.emplace_back(name);
        if (comma == std::string_view::npos)
            return true;
        text = text.substr(comma + 2);
    }
}

// "one_holder holds", "no_herd is violated"
std::optional<Predicate> parseFindingPredicate(std::string_view text)
{
    for (const std::string_view ending : {" holds", " is violated"}) {
        if (!text.ends_with(ending))
            continue;
        const auto finding = trace::findingNamed(text.substr(0, text.size() - ending.size()));
        if (!finding)
            continue;
        Predicate predicate;
        predicate.metric.kind = Kind::violations;
        predicate.metric.finding = *finding;
        predicate.relation = ending == " holds" ? Predicate::Relation::is : Predicate::Relation::moreThan;
        predicate.number = 0;
        return predicate;
    }
    return std::nullopt;
}

std::optional<Predicate> parsePredicate(std::string_view text)
{
    if (auto verdict = parseFindingPredicate(text))
        return verdict;
    const std::size_t at = text.find(" is ");
    const auto metric = at == std::string_view::npos ? std::nullopt : parseMetric(text.substr(0, at));
    if (!metric)
        return std::nullopt;
    Predicate predicate;
    predicate.metric = *metric;
    std::string_view rest = text.substr(at + 4);
    if (sim::consumePrefix(rest, "more than "))
        predicate.relation = Predicate::Relation::moreThan;
    else if (sim::consumePrefix(rest, "less than "))
        predicate.relation = Predicate::Relation::lessThan;
    predicate.number = sim::parseNumber(rest);
    if (predicate.number)
        return predicate;
    const bool named = predicate.relation == Predicate::Relation::is && metric->namesClients() &&
                       takeClients(rest, predicate.clients);
    return named ? std::optional(predicate) : std::nullopt;
}

} // namespace

std::optional<Metric> parseMetric(std::string_view text)
{
    for (const Form& form : kForms) {
        std::string_view rest = text;
        if (!sim::consumePrefix(rest, form.words) || (!rest.empty() && rest.front() != ' '))
            continue;
        if (auto metric = parseMetricForm(form, rest))
            return metric;
    }
    return std::nullopt;
}

std::optional<Condition> parseCondition(std::string_view text)
{
    constexpr std::string_view kAnd = " and ";
    Condition condition;
    for (;;) {
        const std::size_t at = text.find(kAnd);
        const auto predicate = parsePredicate(text.substr(0, at));
        if (!predicate)
            return std::nullopt;
        condition.all.push_back(*predicate);
        if (at == std::string_view::npos)
            return condition;
        text = text.substr(at + kAnd.size());
    }
}

std::string wordsOf(const Predicate& predicate)
{
    const Metric& metric = predicate.metric;
    const auto form = std::ranges::find(kForms, metric.kind, &Form::kind);
    std::string text(form->words);
    if (metric.kind == Kind::violations)
        text.append(" of ").append(trace::findingRule(metric.finding).name());
    if (metric.op)
        text.append(" ").append(trace::nameOf(*metric.op));
    if (!metric.event.empty())
        text.append(" ").append(metric.event);
    if (!metric.client.empty())
        text.append(form->before).append(metric.client);
    constexpr std::array<std::string_view, 3> kRelations{" is ", " is more than ", " is less than "};
    text.append(kRelations.at(static_cast<std::size_t>(predicate.relation)));
    if (predicate.number)
        return text + std::to_string(*predicate.number);
    std::string names;
    for (const std::string& name : predicate.clients)
        names.append(names.empty() ? "" : ", ").append(name);
    return text + (names.empty() ? "no client" : names);
}

Message metricForms()
{
    constexpr std::string_view kCounted =
        "wake-ups, requests, requests create, requests of ada, events watch_fired, events acquired of ada, "
        "milliseconds until acquired of bo, nodes, nodes of ada, depth of ada, violations of one_holder, "
        "value";
    constexpr std::string_view kNamed = "woken, holder, believers, waiters, next holder, first in line, "
                                        "watcher of ada, watched by bo, refused, conflicts";
    return message("%1; clients: %2", kCounted, kNamed);
}

Message conditionForms()
{
    constexpr std::string_view kExamples =
        "\"holder is ada\", \"woken is bo, cyd\", \"waiters is no client\", \"believers is more than 1\", "
        "\"requests of ada is less than 3\", \"one_holder holds\", \"no_herd is violated\"";
    return message("%1, or several joined by \" and \"; values to compare: %2", kExamples, metricForms());
}

} // namespace lockscope::lesson
