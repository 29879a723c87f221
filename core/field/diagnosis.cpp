#include "core/field/diagnosis.h"

#include "core/base/numbers.h"

#include <fmt/core.h>

#include <array>

namespace lockscope::field {

namespace {

using Kind = Diagnosis::Kind;

std::string secondsText(Duration span)
{
    const double value = std::chrono::duration<double>(span).count();
    return value < 10 ? fmt::format("{:.1f} s", value) : fmt::format("{:.0f} s", value);
}

std::string sessionText(const Diagnosis& diagnosis)
{
    const std::string id = hexText(diagnosis.session);
    return diagnosis.address.empty() ? id : id + " at " + diagnosis.address;
}

std::string pathsText(const std::vector<std::string>& parts)
{
    std::string all;
    for (const std::string& part : parts)
        all += (all.empty() ? "" : ", ") + part;
    return all;
}

} // namespace

const char* name(Kind kind)
{
    constexpr std::array<const char*, 12> kNames = {
        "deadlock",         "persistent_in_front",  "foreign_in_front",
        "entrance_blocked", "names_do_not_exclude", "owner_unknown",
        "forgotten_node",   "holder_silent",        "next_without_watch",
        "holder_waits",     "slower_than_usual",    "empty_parents"};
    return kNames[static_cast<std::size_t>(kind)];
}

Message sentence(const Diagnosis& diagnosis)
{
    switch (diagnosis.kind) {
    case Kind::persistentInFront:
        return message("The node in front, %1, belongs to no session: it remains when its client ends.",
                       diagnosis.node);
    case Kind::foreignInFront:
        return message("The node %1 does not belong to a lock, and all clients wait behind it.",
                       diagnosis.node);
    case Kind::namesDoNotExclude:
        return message("Clients of %1 and of %2 use this path and do not exclude each other.", diagnosis.node,
                       diagnosis.other);
    case Kind::forgottenNode:
        return message("The node in front, %1, was apparently forgotten by its client, whose session is "
                       "alive.",
                       diagnosis.node);
    case Kind::deadlock:
        return message("Sessions wait for one another in a cycle over %1.", pathsText(diagnosis.paths));
    case Kind::holderSilent:
        return message("The holder is silent; its session expires in at most %1.",
                       secondsText(diagnosis.span));
    case Kind::nextWithoutWatch:
        return message("The next in line, %1, watches nothing and will not notice its turn.", diagnosis.node);
    case Kind::ownerUnknown:
        return message(
            "No server knows the session of the node in front, %1: the node does not go away by itself.",
            diagnosis.node);
    case Kind::holderWaits:
        return message("The holder itself waits for another lock: %1.", pathsText(diagnosis.paths));
    case Kind::slowerThanUsual:
        return message("The holder has held for %1; 99 of 100 holds here took less than %2.",
                       secondsText(diagnosis.span), secondsText(diagnosis.reference));
    case Kind::emptyParents:
        return message("%1 empty persistent nodes are left below this path, one for each former lock.",
                       diagnosis.count);
    case Kind::entranceBlocked:
        return message("No lease is taken, and the first node of the entrance, %1, lets no client in.",
                       diagnosis.node);
    }
    return {};
}

Message evidence(const Diagnosis& diagnosis)
{
    switch (diagnosis.kind) {
    case Kind::persistentInFront:
        return message("Its Stat has no ephemeral owner; waiting behind it: %1.", diagnosis.count);
    case Kind::foreignInFront:
        return message("The waiters' library counts every child, and this node sorts before %1.",
                       diagnosis.other);
    case Kind::namesDoNotExclude:
        return message("Nodes of both exist now, and by default each counts only nodes with its own names as "
                       "contenders.");
    case Kind::forgottenNode:
        if (!diagnosis.other.empty())
            return message("Its session %1 has a second node with the same unique prefix, %2.",
                           sessionText(diagnosis), diagnosis.other);
        return message("For %1 its session %2 has sent other requests, and has neither deleted nor watched "
                       "anything here.",
                       secondsText(diagnosis.span), sessionText(diagnosis));
    case Kind::deadlock:
        return message("None of the nodes in the cycle has changed for %1; session %2 is part of the cycle.",
                       secondsText(diagnosis.span), sessionText(diagnosis));
    case Kind::holderSilent:
        return message("No server has heard of session %1 for at least %2; its timeout is %3.",
                       sessionText(diagnosis), secondsText(diagnosis.reference - diagnosis.span),
                       secondsText(diagnosis.reference));
    case Kind::nextWithoutWatch:
        return message("In two answers to wchp session %1 has no watch on any node ahead of it.",
                       sessionText(diagnosis));
    case Kind::ownerUnknown:
        return message(
            "Twice in a row session %1 was in no server's answer to cons and dump; waiting behind it: %2.",
            sessionText(diagnosis), diagnosis.count);
    case Kind::holderWaits:
        return diagnosis.other.empty()
                   ? message("Its session %1 has a node in that queue.", sessionText(diagnosis))
                   : message(
                         "Its session %1 has a node in that queue; the last of these locks is held by %2.",
                         sessionText(diagnosis), diagnosis.other);
    case Kind::slowerThanUsual:
        return message("Based on %1 holds; now waiting: %2.", diagnosis.count, diagnosis.other);
    case Kind::emptyParents:
        return message("All of them had children, none has any now, and none was deleted in 90 s; container "
                       "nodes would have been deleted.");
    case Kind::entranceBlocked:
        return message(
            "A client that is first creates a lease at once; session %1 has not done so for %2. In the "
            "entrance: %3.",
            sessionText(diagnosis), secondsText(diagnosis.span), diagnosis.count);
    }
    return {};
}

namespace {

Message firstRemedy(const Diagnosis& diagnosis)
{
    switch (diagnosis.kind) {
    case Kind::persistentInFront:
        return diagnosis.recipeKnown
                   ? message("Find out what created the node. Some programs use persistent nodes on purpose; "
                             "delete "
                             "it only once it is certain that its creator no longer needs it.")
                   : message("Find out what created the node, and what it means there.");
    case Kind::foreignInFront:
        return message("Find out what created the node; if it is not needed, move it out of this path.");
    case Kind::namesDoNotExclude:
        return message("Use one library and one recipe on a path, or let each recognize the other's names "
                       "(kazoo: extra_lock_patterns).");
    case Kind::forgottenNode:
        return diagnosis.recipeKnown ? message("Ask that client whether it works under this lock. Once it is "
                                               "certain that it does not, deleting this "
                                               "one node frees this lock alone; restarting the client ends "
                                               "all that its session holds. Turn on "
                                               "protection in the client.")
                                     : message("Ask that client whether it still uses the node.");
    case Kind::deadlock:
        return message("Let one of the clients give up its wait, or else end its session; let all clients "
                       "take the locks in one "
                       "order. (If a session has several threads, this may not be a deadlock.)");
    case Kind::ownerUnknown:
        return diagnosis.recipeKnown ? message("Compare the servers: each should have the node, and none its "
                                               "session. Once it is certain that no "
                                               "process works under the lock, delete this one node.")
                                     : message("Compare the servers: each should have the node, and none its "
                                               "session. Find out what the node means.");
    case Kind::holderWaits:
        return message("Look at the lock that it waits for: this one is free when that wait is over.");
    case Kind::holderSilent:
        return message("Check that process: it may be paused or disconnected. When its session expires, the "
                       "next client gets the lock; the process may still believe that it holds the lock.");
    case Kind::nextWithoutWatch:
        return message("Let that client ask for the lock again, or else restart it: its node is then "
                       "deleted, and the client "
                       "behind it becomes the next in line.");
    case Kind::slowerThanUsual:
        return message("Check what the holder is doing.");
    case Kind::emptyParents:
        return message("Delete them, or let clients create the parents as container nodes (Curator does this "
                       "automatically).");
    case Kind::entranceBlocked:
        return message(
            "Let that client give up, or else restart it: its node is then deleted, and the next one "
            "enters.");
    }
    return {};
}

} // namespace

Message remedy(const Diagnosis& diagnosis)
{
    if (diagnosis.also.empty())
        return firstRemedy(diagnosis);
    return joined(firstRemedy(diagnosis), message("This session also holds: %1.", pathsText(diagnosis.also)));
}

} // namespace lockscope::field
