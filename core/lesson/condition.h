// Conditions on a run and the metrics they compare, with their texts: "woken is bo", "depth of ada is 2 and
// one_holder holds". Plain values; any thread.
#pragma once

#include "core/base/message.h"
#include "core/replay/findings/findings.h"
#include "core/trace/event.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::lesson {

// A number or a set of clients. "Since" means since the bet was made or the task began; metrics without it
// describe the moment of their evaluation.
struct Metric
{
    enum class Kind : std::uint8_t {
        // numbers
        wakeUps,      // watch events of deleted nodes or changed children, since
        requests,     // sent since, by this client and of this operation if given
        events,       // of this kind since, of this client if given
        milliseconds, // from the mark to the first event of this kind, of this client if given; without
                      // pauses
        nodes,        // in the queue, of this client if given
        depth,        // the hold depth of this client
        violations,   // of this finding, in the whole run
        value,        // of the resource
        // clients
        woken,       // by such watch events, since
        holder,      // clients that hold, with a node that the server still has
        believers,   // clients that believe they hold
        waiters,     // clients that wait
        nextHolder,  // the first client that acquired, since
        firstInLine, // the owner of the first node
        watcherOf,   // clients that watch a node of this one
        watchedBy,   // the client whose node this one watches
        refused,     // clients that the resource has refused, since
        conflicts,   // clients in a conflict at the resource, since
    };
    Kind kind = Kind::wakeUps;
    std::string client;            // empty: all clients
    std::optional<Operation> op;   // requests
    std::string event;             // events, milliseconds: the kind, as in traces
    replay::FindingKind finding{}; // violations
    bool operator==(const Metric&) const = default;

    bool namesClients() const { return kind >= Kind::woken; }
};

// A metric of clients is compared with names, or the number of its clients with a number.
struct Predicate
{
    enum class Relation : std::uint8_t { is, moreThan, lessThan };
    Metric metric;
    Relation relation = Relation::is;
    std::optional<std::uint64_t> number; // none: compares with `clients`
    std::vector<std::string> clients;    // in any order; empty: no client
    bool operator==(const Predicate&) const = default;
};

// All predicates hold.
struct Condition
{
    std::vector<Predicate> all;
    bool operator==(const Condition&) const = default;
};

// "wake-ups", "requests create of ada", "woken", "watched by bo". None for any other text.
std::optional<Metric> parseMetric(std::string_view text);
// "woken is bo, cyd", "wake-ups is 3", "no_herd is violated and holder is no client".
std::optional<Condition> parseCondition(std::string_view text);

// "depth of ada is more than 2", as parseCondition() reads it.
std::string wordsOf(const Predicate& predicate);

// Examples of all forms, for error messages.
Message metricForms();
Message conditionForms();

} // namespace lockscope::lesson
