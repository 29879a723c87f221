// Conditions over a run and what they measure, as data, with their words: "woken is bo", "depth of ada is 2 and
// one_holder holds". Plain values; any thread.
#pragma once

#include "core/replay/findings/findings.h"
#include "core/trace/event.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::lesson {

// What is counted, or who is named. "Since" is since the bet was made or the task was begun; the others are of the
// moment at which they are evaluated.
struct Measure
{
    enum class Kind : std::uint8_t {
        // numbers
        wakeUps,       // watch events because a node went, since
        requests,      // sent since, of this client and this operation if they are named
        events,        // of this kind since, of this client if one is named
        milliseconds,  // since, until the first event of this kind, of this client if one is named
        nodes,         // in the queue, of this client if one is named
        depth,         // the count of re-entries of this client
        violations,    // of this finding, in the whole run
        value,         // of what the lock protects
        // clients
        woken,      // by watch events because a node went, since
        holder,     // who holds, and the server agrees
        believers,  // who believes to hold, whatever the server says
        waiters,    // who waits
        nextHolder, // who got the lock first, since
        firstInLine, // the owner of the node with the smallest number
        watcherOf,  // who watches a node of this client
        watchedBy,  // whose node this client watches
        refused,    // whom the protected thing has refused, since
        conflicts,  // who met somebody else at the protected thing, since
    };
    Kind kind = Kind::wakeUps;
    std::string client;            // empty: all together
    std::optional<trace::Op> op;   // requests
    std::string event;             // events, milliseconds: the kind as traces name it
    replay::FindingKind finding{}; // violations
    bool operator==(const Measure&) const = default;

    bool namesClients() const { return kind >= Kind::woken; }
};

// One comparison. A measure that names clients can be compared with names, and its size with numbers.
struct Comparison
{
    enum class Relation : std::uint8_t { is, moreThan, lessThan };
    Measure measure;
    Relation relation = Relation::is;
    std::optional<std::uint64_t> number; // none: `clients`
    std::vector<std::string> clients;    // in any order; empty: nobody
    bool operator==(const Comparison&) const = default;
};

// All of them hold.
struct Condition
{
    std::vector<Comparison> all;
    bool operator==(const Condition&) const = default;
};

// "wake-ups", "requests create of ada", "woken", "watched by bo". Nothing: it is none of these.
std::optional<Measure> parseMeasure(std::string_view text);
// "woken is bo, cyd", "wake-ups is 3", "no_herd is violated and holder is nobody".
std::optional<Condition> parseCondition(std::string_view text);

// What to expect, for messages.
std::string measureForms();
std::string conditionForms();

// As it is written.
std::string toString(const Measure& measure);

} // namespace lockscope::lesson
