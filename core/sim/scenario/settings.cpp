#include "core/sim/scenario/settings.h"

#include "core/sim/scenario/scenario_text.h"
#include "core/sim/scenario/setting_rows.h"

#include <cstdio>

namespace lockscope::sim {

namespace {

using Node = const toml::node&;
using Locks = std::vector<std::string>;

// How a value of this type is read, and its parts. A codec of the table.
template <class Value>
struct Codec
{
    std::function<Value(const TomlReader&, Node)> read;
    std::function<SettingValue(const Value&)> parts;
};

Codec<std::string> text()
{
    return {[](const TomlReader& in, Node node) { return in.text(node); },
            [](const std::string& value) { return value.empty() ? SettingValue{} : SettingValue{{value}}; }};
}

Codec<std::string> name()
{
    return {[](const TomlReader& in, Node node) { return in.name(node); }, text().parts};
}

Codec<bool> flag()
{
    return {[](const TomlReader& in, Node node) { return in.flag(node); },
            [](bool value) {
                return SettingValue{{value ? "true" : "false"}, false};
            }};
}

template <class Number = std::uint32_t>
Codec<Number> number(std::int64_t low, std::int64_t high)
{
    return {[low, high](const TomlReader& in, Node node) { return in.number<Number>(node, low, high); },
            [](Number value) {
                return SettingValue{{std::to_string(value)}, false};
            }};
}

Codec<Duration> time()
{
    return {[](const TomlReader& in, Node node) { return in.duration(node); },
            [](Duration value) { return SettingValue{{formatDuration(value)}}; }};
}

Codec<Duration> timeOrNone() // 0: not set
{
    return {time().read, [](Duration value) {
                return value == Duration{} ? SettingValue{} : SettingValue{{formatDuration(value)}};
            }};
}

Codec<Range> times()
{
    return {[](const TomlReader& in, Node node) { return in.range(node); },
            [](const Range& range) {
                if (range.exponential)
                    return SettingValue{{"exponential " + formatDuration(range.low)}};
                if (range.low == range.high)
                    return SettingValue{{formatDuration(range.low)}};
                return SettingValue{{formatDuration(range.low), formatDuration(range.high)}};
            }};
}

// One of several words.
template <class Value, class Format>
Codec<Value> word(std::optional<Value> (*parse)(std::string_view), Format format, const Message& expected)
{
    return {[parse, expected](const TomlReader& in, Node node) { return in.choice(node, parse, expected); },
            [format](const Value& value) { return SettingValue{{std::string(format(value))}}; }};
}

template <class T>
constexpr bool isOptional = false;
template <class T>
constexpr bool isOptional<std::optional<T>> = true;

template <class Owner, class Member, class Value>
SettingRow<Owner> row(std::string_view key, Member Owner::*member, const Codec<Value>& codec)
{
    return {key,
            [member, codec](const TomlReader& in, Node node, Owner& owner, const Locks&) {
                owner.*member = codec.read(in, node);
            },
            [member, codec](const Owner& owner, const Locks&) {
                if constexpr (isOptional<Member>)
                    return owner.*member ? codec.parts(*(owner.*member)) : SettingValue{};
                else
                    return codec.parts(owner.*member);
            },
            [member](const Owner& a, const Owner& b) { return a.*member == b.*member; }};
}

// 2 or [0, 3]
SettingRow<Work> countRange(std::string_view key, std::uint32_t Work::*least, std::uint32_t Work::*most,
                            std::int64_t low, std::int64_t high)
{
    return {key,
            [=](const TomlReader& in, Node node, Work& work, const Locks&) {
                in.pair(node, low, high, work.*least, work.*most);
            },
            [=](const Work& work, const Locks&) {
                SettingValue value{{std::to_string(work.*least)}, false};
                if (work.*least != work.*most)
                    value.parts.push_back(std::to_string(work.*most));
                return value;
            },
            [=](const Work& a, const Work& b) { return a.*least == b.*least && a.*most == b.*most; }};
}

// That of a scenario without a title is its name.
SettingRow<Scenario> title()
{
    SettingRow<Scenario> made = row("title", &Scenario::title, text());
    made.value = [](const Scenario& scenario, const Locks&) {
        return scenario.title == scenario.name ? SettingValue{} : SettingValue{{scenario.title}};
    };
    return made;
}

template <class Row>
Row alwaysWritten(Row row)
{
    row.same = [](const auto&, const auto&) { return false; };
    return row;
}

// A row whose value is refused when `isRight` does not hold.
template <class Owner, class Right>
SettingRow<Owner> checked(SettingRow<Owner> row, Right isRight, const Message& expected)
{
    row.read = [read = row.read, isRight, expected](const TomlReader& in, Node node, Owner& owner,
                                                    const Locks& locks) {
        read(in, node, owner, locks);
        if (!isRight(owner))
            in.wrong(node, expected);
    };
    return row;
}

// ["left", "book:write"]
SettingRow<Work> takes()
{
    return {"takes",
            [](const TomlReader& in, Node node, Work& work, const Locks& locks) {
                work.takes.clear();
                for (Node entry : in.list(node, message("a list of locks, such as [\"left\", \"right\"]"))) {
                    const std::optional<Take> take = parseTake(in.text(entry), locks);
                    if (!take)
                        in.wrong(entry, message("one of %1", takeForms(locks)));
                    work.takes.push_back(*take);
                }
                if (work.takes.size() > 100)
                    in.wrong(node, message("at most 100 locks"));
            },
            [](const Work& work, const Locks& locks) {
                SettingValue value{{}, true, true};
                for (const Take& take : work.takes)
                    value.parts.push_back(formatTake(take, locks));
                return value;
            },
            [](const Work& a, const Work& b) { return a.takes == b.takes; }};
}

template <class Owner>
SettingValue find(const std::vector<SettingRow<Owner>>& rows, const Owner& owner, const Locks& locks,
                  std::string_view key)
{
    for (const SettingRow<Owner>& row : rows)
        if (row.key == key)
            return row.value(owner, locks);
    return {};
}

} // namespace

const std::vector<SettingRow<Scenario>>& descriptionSettings()
{
    static const std::vector<SettingRow<Scenario>> rows = {
        title(),
        row("text", &Scenario::text, text()),
        row("title_zh", &Scenario::titleZh, text()),
        row("text_zh", &Scenario::textZh, text()),
    };
    return rows;
}

const std::vector<SettingRow<Scenario>>& lockSettings()
{
    static const std::vector<SettingRow<Scenario>> rows = {
        row("workers", &Scenario::workers, number(1, kMaxClients)),
        alwaysWritten(row("recipe", &Scenario::recipe,
                          word<Recipe>(
                              parseRecipe, [](Recipe recipe) { return nameOf(recipe); },
                              message("one of %1", recipeNames())))),
        row("leases", &Scenario::leases, number(1, 10'000)),
        row("handoff", &Scenario::handoff,
            word<HandoffPolicy>(
                enumFrom<HandoffPolicy>, [](HandoffPolicy policy) { return nameOf(policy); },
                "\"curator\" or \"announced\"")),
        row("resource", &Scenario::resource,
            word(parseResourceContent, formatResourceContent, resourceContentForms())),
        row("fenced", &Scenario::fencedResource, flag()),
    };
    return rows;
}

const std::vector<SettingRow<Work>>& workSettings()
{
    static const std::vector<SettingRow<Work>> rows = {
        row("cycles", &Work::cycles, number(0, 1'000'000'000)),
        row("think", &Work::think, times()),
        row("hold", &Work::hold, times()),
        countRange("reenter", &Work::reenterMin, &Work::reenterMax, 0, 100),
        takes(),
        row("give_back", &Work::releaseOrder,
            word<ReleaseOrder>(
                parseReleaseOrder, [](ReleaseOrder order) { return toString(order); },
                "\"last first\" or \"first first\"")),
        row("write_percent", &Work::writePercent, number(0, 100)),
        countRange("permits", &Work::permitsMin, &Work::permitsMax, 1, 1'000),
        row("acquire_timeout", &Work::acquireTimeout, time()),
        row("tries", &Work::tries, number(1, 1'000)),
        row("revocable", &Work::revocable, flag()),
    };
    return rows;
}

const std::vector<SettingRow<Scenario>>& runSettings()
{
    static const std::vector<SettingRow<Scenario>> rows = {
        row("arrival", &Scenario::arrival, word(parseArrival, formatArrival, arrivalForms())),
        checked(
            row("duration", &Scenario::duration, time()),
            [](const Scenario& scenario) { return scenario.duration != Duration{}; },
            message("a time longer than 0")),
        alwaysWritten(row("seed", &Scenario::seed, number<std::uint64_t>(0, INT64_MAX))),
        row("session_timeout", &Scenario::sessionTimeout, time()),
        row("pace", &Scenario::pace, timeOrNone()),
        checked(
            row("servers", &Scenario::servers, number(1, 3)),
            [](const Scenario& scenario) { return scenario.servers != 2; },
            message("1 or 3: two servers cannot outvote one that fails")),
        row("connect", &Scenario::connect, text()),
        row("join_foreign", &Scenario::joinForeign, flag()),
        row("replace_workers", &Scenario::replaceWorkers, flag()),
        row("links", &Scenario::links, flag()),
        row("stepping", &Scenario::stepping, flag()),
    };
    return rows;
}

const std::vector<SettingRow<NamedClient>>& clientSettings()
{
    static const std::vector<SettingRow<NamedClient>> rows = {
        alwaysWritten(row("name", &NamedClient::name, name())),
        row("count", &NamedClient::count, number(1, kMaxClients)),
        row("process", &NamedClient::process, name()),
        row("start", &NamedClient::start, time()),
    };
    return rows;
}

SettingValue settingOf(const Scenario& scenario, std::string_view key)
{
    for (const auto* rows : {&descriptionSettings(), &lockSettings(), &runSettings()})
        if (SettingValue value = find(*rows, scenario, scenario.locks, key); !value.parts.empty())
            return value;
    if (SettingValue value = settingOf(scenario.work, scenario.locks, key); !value.parts.empty())
        return value;
    SettingValue list{{}, true, true};
    if (key == "locks")
        list.parts = scenario.locks;
    else if (key == "steps")
        for (const TakenStep& step : scenario.steps)
            list.parts.push_back(step.client + " " + std::string(stepName(step.step)));
    else if (key == "script")
        for (const ScriptLine& line : scenario.script)
            list.parts.push_back(line.text);
    else if (key == "expect")
        for (const Expectation& one : scenario.expect)
            list.parts.push_back(formatExpectation(one));
    return list.parts.empty() ? SettingValue{} : list;
}

SettingValue settingOf(const NamedClient& client, std::string_view key)
{
    return find(clientSettings(), client, {}, key);
}

SettingValue settingOf(const Work& work, const std::vector<std::string>& locks, std::string_view key)
{
    return find(workSettings(), work, locks, key);
}

std::vector<std::string_view> settingKeys()
{
    std::vector<std::string_view> keys;
    for (const auto* rows : {&descriptionSettings(), &lockSettings(), &runSettings()})
        for (const SettingRow<Scenario>& row : *rows)
            keys.push_back(row.key);
    for (const SettingRow<Work>& row : workSettings())
        keys.push_back(row.key);
    return keys;
}

std::string tomlString(std::string_view text)
{
    std::string out = "\"";
    for (const char letter : text) {
        const auto code = static_cast<unsigned char>(letter);
        if (letter == '"' || letter == '\\')
            out.append(1, '\\').append(1, letter);
        else if (letter == '\n')
            out += "\\n";
        else if (letter == '\t')
            out += "\\t";
        else if (code < 0x20 || code == 0x7F) {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\u%04X", code);
            out += escaped;
        } else
            out += letter;
    }
    return out + "\"";
}

std::string tomlValue(const SettingValue& value)
{
    const auto& parts = value.parts;
    const auto one = [&value](const std::string& part) { return value.quoted ? tomlString(part) : part; };
    if (!value.list && parts.size() < 2)
        return parts.empty() ? std::string() : one(parts.front());
    const bool lines = parts.size() > 2;
    std::string out = "[";
    for (std::size_t i = 0; i < parts.size(); ++i)
        out.append(lines   ? "\n    "
                   : i > 0 ? " "
                           : "")
            .append(one(parts[i]))
            .append(i + 1 < parts.size() ? "," : "");
    return out + (lines ? "\n]" : "]");
}

} // namespace lockscope::sim
