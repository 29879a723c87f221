#include "app/lockscope_cli/field_report.h"

#include "core/base/numbers.h"
#include "core/exports/text_format.h"
#include "core/history/history.h"
#include "core/queue/scheme.h"
#include "core/queue/words.h"
#include "core/trace/plain_text.h"

#include <fmt/core.h>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>
#include <chrono>

namespace lockscope::app {

namespace {

namespace json = boost::json;
using exports::plain;
using field::LockStatus;
using field::Participant;
using field::Snapshot;

constexpr std::size_t kMaxNotes = 4;                // above the table
constexpr std::size_t kWholePath = 4 * 1024 * 1024; // in a report

std::int64_t inMs(Duration span)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(span).count();
}

json::value heldSinceJson(const std::optional<field::HeldSince>& held)
{
    if (!held)
        return {};
    if (held->exact())
        return json::value(utc(held->latestMs));
    return json::object{{"earliest", utc(held->earliestMs)}, {"latest", utc(held->latestMs)}};
}

json::object participantJson(const Participant& one, const SessionNames& sessions)
{
    json::object document{
        {"node", sessions.inText(plain(one.node, kWholePath))},
        {"session", textOrNull(sessions(one.session))},
        {"address", textOrNull(one.address)},
        {"data", plain(one.data, 256)},
        {"created", utc(one.createdMs)},
        {"held_since", heldSinceJson(one.heldSince)},
        {"silent_ms", one.silentAtLeast ? json::value(inMs(*one.silentAtLeast)) : json::value()}};
    if (one.persistent)
        document["persistent"] = true;
    if (one.notPermitted)
        document["not_permitted"] = true;
    if (one.persistentByDesign)
        document["persistent_by_design"] = true;
    if (!one.dataIsOwners)
        document["data_written_later"] = true;
    if (one.silentAtMost)
        document["silent_at_most_ms"] = inMs(*one.silentAtMost);
    if (one.timeout > Duration{})
        document["timeout_ms"] = inMs(one.timeout);
    return document;
}

// The sentences contain session ids, which a file gets under their names.
json::value diagnosisJson(const std::optional<field::Diagnosis>& diagnosis, const SessionNames& sessions)
{
    if (!diagnosis)
        return {};
    field::Diagnosis shown = *diagnosis;
    const auto rename = [&sessions](std::string& text) { text = sessions.inText(plain(text, kWholePath)); };
    rename(shown.node);
    rename(shown.other);
    const std::string real = SessionNames()(shown.session), renamed = sessions(shown.session);
    std::string why = evidence(shown).english();
    for (std::size_t at = real.empty() ? why.npos : why.find(real); at != why.npos;
         at = why.find(real, at + renamed.size()))
        why.replace(at, real.size(), renamed);
    return json::object{{"kind", name(diagnosis->kind)},
                        {"text", plain(sentence(shown).english(), 2000)},
                        {"evidence", plain(why, 2000)},
                        {"remedy", remedy(shown).english()}};
}

json::value longWaitJson(const std::optional<field::LongWait>& wait, const SessionNames& sessions)
{
    if (!wait)
        return {};
    json::object document{{"node", sessions.inText(plain(wait->node, kWholePath))},
                          {"client", textOrNull(plain(sessions.inText(wait->client), 256))},
                          {"session", textOrNull(sessions(wait->session))}};
    addWait(document, wait->split, [&](std::size_t number) {
        const field::LongWait::Holder& holder = wait->holders[number];
        return json::object{{"client", textOrNull(plain(sessions.inText(holder.client), 256))},
                            {"session", textOrNull(sessions(holder.session))}};
    });
    return document;
}

json::object serverJson(const Snapshot& snapshot)
{
    return {{"address", textOrNull(snapshot.server)}, {"mode", textOrNull(plain(snapshot.mode, 40))}};
}

std::string observerText(const Snapshot& snapshot)
{
    return snapshot.mode == "observer"
               ? fmt::format("The server {} is an observer: it follows the leader and does not vote.",
                             snapshot.server)
               : std::string();
}

const char* name(field::WatchState watching)
{
    constexpr std::array<const char*, 5> kNames = {"connecting", "reading", "every_change", "by_listing",
                                                   "out_of_contact"};
    return kNames[static_cast<std::size_t>(watching)];
}

const char* name(field::HoldState state)
{
    constexpr std::array<const char*, 4> kNames = {"held", "free", "not_known", "no_lock"};
    return kNames[static_cast<std::size_t>(state)];
}

} // namespace

std::string whoText(const Participant& one)
{
    if (const std::string name = nameOf(one); !name.empty())
        return plain(name, 80);
    if (one.session.valid())
        return SessionNames()(one.session);
    return one.persistent ? "no session" : "not known";
}

namespace {

// The data of its node, as far as they are not its name already: what the owner wrote, or who else may have.
std::string wordsText(const Participant& one)
{
    const std::string words = plain(one.data, 80);
    if (words.empty() || (one.dataIsOwners && (!one.who.empty() || words == whoText(one))))
        return "";
    return one.dataIsOwners
               ? ", data \"" + words + "\""
               : ", data written after its creation, perhaps by another client: \"" + words + "\"";
}

// The node of no lock that all clients here wait for.
const Participant* foreignIn(const LockStatus& row)
{
    return !row.participants.empty() && row.participants.front().foreign ? &row.participants.front()
                                                                         : nullptr;
}

std::string freeText(const LockStatus& row)
{
    const auto ofLibrary = [&row](std::string text) {
        return row.otherLibrary == queue::Library::none ? text : text + " (" + name(row.otherLibrary) + ")";
    };
    if (row.state == field::HoldState::notKnown && row.recipe == history::Recipe::fixedName)
        return "not known: it may be a lock or a registration";
    return row.state == field::HoldState::notKnown ? ofLibrary("not known who holds")
           : row.state == field::HoldState::noLock ? ofLibrary("no lock")
           : row.waiting == 0                      ? "free"
           : row.diagnosis && row.diagnosis->kind == field::Diagnosis::Kind::foreignInFront
               ? "nobody can hold it"
               : "nobody holds it";
}

std::string counted(std::size_t many, const char* what)
{
    return fmt::format("{} {}{}", many, what, many == 1 ? "" : "s");
}

// "Apache Mesos, replicas of the log".
std::string schemeText(const queue::Scheme& scheme)
{
    const std::string_view library = name(scheme.library), recipe = scheme.recipe;
    return recipe.empty() || recipe == library ? std::string(library)
                                               : fmt::format("{}, {}", library, recipe);
}

std::string registrationsText(std::size_t many, bool ephemeral, const queue::Scheme* scheme)
{
    const std::string nodes = counted(many, ephemeral ? "registration" : "persistent node");
    return scheme ? nodes + " (" + schemeText(*scheme) + ")" : nodes;
}

// Of a lock whose nodes do not show who holds.
std::string hiddenText(std::size_t many, const queue::Scheme* scheme, bool persistent)
{
    return scheme ? fmt::format("{} ({}), which {} not show it",
                                counted(many, persistent ? "persistent node" : "node"), schemeText(*scheme),
                                many == 1 ? "does" : "do")
                  : counted(many, "sequential node") + " of no known recipe";
}

const queue::Scheme* schemeOf(const Participant& one)
{
    const queue::Scheme* scheme = queue::parse(one.node, one.parent).scheme;
    const bool onlyTheName = scheme && one.role == queue::Role::none && scheme->role != queue::Role::none;
    return onlyTheName ? nullptr : scheme;
}

// A semaphore's folder for leases, or of its entrance, is no lock of its own.
const LockStatus* semaphoreOf(const Snapshot& snapshot, std::string_view path)
{
    for (const std::string_view suffix :
         {queue::kLeasesSuffix, queue::kMutexSuffix, queue::kKazooMutexSuffix})
        if (path.ends_with(suffix))
            for (const LockStatus& row : snapshot.locks)
                if (row.path == path.substr(0, path.size() - suffix.size()))
                    return &row;
    return nullptr;
}

std::string heldText(const Participant& one, std::int64_t nowMs)
{
    if (!one.heldSince)
        return "an unknown time";
    const std::string least = spanText(std::max<std::int64_t>(nowMs - one.heldSince->latestMs, 0));
    return one.heldSince->exact() ? least : least + " or more";
}

std::string cut(std::string text, std::size_t width)
{
    text.resize(trace::cutToColumns(text, width).size());
    return text;
}

} // namespace

json::object lockJson(const LockStatus& row, const SessionNames& sessions)
{
    json::object document{
        {"path", plain(row.path, kWholePath)},
        {"recipe", history::name(row.recipe)},
        {"acquisitions", row.acquisitions},
        {"handoffs", row.handoffs},
        {"ends", json::object{{"deleted_session_alive", row.ends.deletedSessionAlive},
                              {"session_gone", row.ends.sessionGone},
                              {"gave_up", row.ends.gaveUp},
                              {"unknown", row.ends.unknown},
                              {"open", row.ends.open}}},
        {"longest_hold_ms", row.longestHoldMs},
        {"longest_wait_ms", row.longestWaitMs},
        {"deepest_queue", row.deepestQueue},
        {"holder", row.holder ? json::value(participantJson(*row.holder, sessions)) : json::value()},
        {"waiting", row.waiting},
        {"verdict", diagnosisJson(row.diagnosis, sessions)}};
    document["state"] = name(row.state);
    document["longest_wait_now"] = longWaitJson(row.longWait, sessions);
    if (row.endsByLog)
        document["ends_by_log"] = endsJson(*row.endsByLog);
    return document;
}

std::string verdictLine(const Snapshot& snapshot, const LockStatus& row, const SessionNames& sessions)
{
    json::object document = lockJson(row, sessions);
    document["at"] = utc(snapshot.atMs);
    return json::serialize(document) + "\n";
}

json::object report(const Snapshot& snapshot, const SessionNames& sessions)
{
    json::array gaps, locks, paths, folders, words;
    for (const field::WatchGap& gap : snapshot.gaps)
        gaps.push_back(json::object{{"from", utc(gap.fromMs)},
                                    {"to", gap.toMs ? json::value(utc(*gap.toMs)) : json::value()}});
    std::vector<const LockStatus*> byPath;
    for (const LockStatus& row : snapshot.locks)
        byPath.push_back(&row);
    std::sort(byPath.begin(), byPath.end(),
              [](const LockStatus* a, const LockStatus* b) { return a->path < b->path; });
    for (const LockStatus* row : byPath)
        locks.push_back(lockJson(*row, sessions));
    for (const field::PathStatus& note : snapshot.paths)
        paths.push_back(
            json::object{{"path", plain(note.path, kWholePath)},
                         {"state", note.kind == field::PathStatus::Kind::there     ? "there"
                                   : note.kind == field::PathStatus::Kind::missing ? "missing"
                                                                                   : "not_permitted"}});
    for (const std::string& path : snapshot.foldersNotPermitted)
        paths.push_back(json::object{{"path", plain(path, kWholePath)}, {"state", "not_permitted"}});
    json::array verdicts;
    for (const field::GivenVerdict& given : snapshot.verdicts)
        verdicts.push_back(json::object{{"path", plain(given.path, kWholePath)},
                                        {"from", utc(given.fromMs)},
                                        {"to", given.toMs ? json::value(utc(*given.toMs)) : json::value()},
                                        {"verdict", diagnosisJson(given.diagnosis, sessions)}});
    for (const auto& [path, diagnosis] : snapshot.folders)
        folders.push_back(
            json::object{{"path", plain(path, kWholePath)}, {"verdict", diagnosisJson(diagnosis, sessions)}});
    for (const Message& word : snapshot.notPermitted)
        words.push_back(json::value(word.english()));
    return {{"watching", name(snapshot.watching)},
            {"since", utc(snapshot.sinceMs)},
            {"until", utc(snapshot.atMs)},
            {"clock_ahead_ms", snapshot.clockAheadMs ? json::value(*snapshot.clockAheadMs) : json::value()},
            {"nodes_created", snapshot.nodesCreated},
            {"nodes_deleted", snapshot.nodesDeleted},
            {"stat_unknown", snapshot.statUnknown},
            {"unreadable", snapshot.unreadable},
            {"gaps", std::move(gaps)},
            {"not_permitted", std::move(words)},
            {"paths", std::move(paths)},
            {"folders", std::move(folders)},
            {"verdicts", std::move(verdicts)},
            {"forgotten", json::object{{"locks", snapshot.forgotten.locks},
                                       {"acquisitions", snapshot.forgotten.acquisitions},
                                       {"handoffs", snapshot.forgotten.handoffs}}},
            {"read_only", snapshot.readOnly},
            {"server", serverJson(snapshot)},
            {"locks", std::move(locks)}};
}

std::string longWaitText(const LockStatus& row)
{
    if (!row.longWait)
        return {};
    const auto named = [](const std::string& client, SessionId session) {
        return client.empty() ? SessionNames()(session) : plain(client, 80);
    };
    return "the longest wait, of " + named(row.longWait->client, row.longWait->session) + ", " +
           waitText(row.longWait->split, [&](std::size_t number) {
               const field::LongWait::Holder& holder = row.longWait->holders[number];
               return named(holder.client, holder.session);
           });
}

std::string holderText(const LockStatus& row)
{
    return !row.holder        ? freeText(row)
           : row.holders == 1 ? whoText(*row.holder)
                              : fmt::format("{} and {} more", whoText(*row.holder), row.holders - 1);
}

std::string fieldLine(const Snapshot& snapshot, const LockStatus& row)
{
    std::string text =
        fmt::format("{}  {}  {}  ", utc(snapshot.atMs), plain(row.path, 200), history::name(row.recipe));
    if (!row.holder)
        text += freeText(row);
    else
        text += fmt::format("held by {} ({}{}) for {}", whoText(*row.holder), plain(row.holder->node, 100),
                            wordsText(*row.holder), heldText(*row.holder, snapshot.knownMs()));
    if (row.holders > 1)
        text += fmt::format(" and {} more", row.holders - 1);
    text += fmt::format("  {} waiting", row.waiting);
    if (row.diagnosis)
        text += "  " + plain(sentence(*row.diagnosis).english(), 300);
    return text + "\n";
}

std::vector<std::string> fieldNotes(const Snapshot& snapshot)
{
    std::vector<std::string> notes;
    if (snapshot.watching == field::WatchState::byListing)
        notes.emplace_back(
            snapshot.listsForNow
                ? "By listing: the server has not set the persistent watches yet, and quick changes are "
                  "missed."
                : "By listing: the server has no persistent watches, and quick changes are missed.");
    if (snapshot.readOnly)
        notes.emplace_back("No quorum: the server answers read-only, from a state that may be old.");
    if (std::string observer = observerText(snapshot); !observer.empty())
        notes.push_back(std::move(observer));
    for (const field::WatchGap& gap : snapshot.gaps)
        notes.push_back(
            gap.toMs
                ? fmt::format("Gap: nothing was seen between {} and {}.", utc(gap.fromMs), utc(*gap.toMs))
                : fmt::format("Out of contact: nothing has been seen since {}.", utc(gap.fromMs)));
    for (const field::PathStatus& path : snapshot.paths)
        if (path.kind != field::PathStatus::Kind::there)
            notes.push_back(plain(path.path, 200) + (path.kind == field::PathStatus::Kind::missing
                                                         ? ": there is no such path; waiting for it."
                                                         : ": no permission to read it."));
    constexpr std::size_t kNamed = 20;
    for (std::size_t i = 0; i < snapshot.foldersNotPermitted.size() && i < kNamed; ++i)
        notes.push_back(plain(snapshot.foldersNotPermitted[i], 200) + ": no permission to read it.");
    if (snapshot.foldersNotPermitted.size() > kNamed)
        notes.push_back(fmt::format("No permission to read {} more folders.",
                                    snapshot.foldersNotPermitted.size() - kNamed));
    for (const auto& [path, diagnosis] : snapshot.folders)
        notes.push_back(plain(path, 200) + ": " + plain(sentence(diagnosis).english(), 300));
    return notes;
}

std::string fieldTable(const Snapshot& snapshot, std::size_t width, std::size_t height)
{
    std::size_t pathWidth = 4;
    const std::size_t shown = height > kMaxNotes + 4 ? height - kMaxNotes - 4 : 1;
    for (std::size_t i = 0; i < snapshot.locks.size() && i < shown; ++i)
        pathWidth = std::max(pathWidth,
                             std::min<std::size_t>(trace::columnsOf(plain(snapshot.locks[i].path, 200)), 40));
    std::string text =
        cut(fmt::format("{}  {}  {} created, {} deleted, {} gone before they were read, {} gaps",
                        utc(snapshot.atMs), snapshot.server.empty() ? "out of contact" : snapshot.server,
                        snapshot.nodesCreated, snapshot.nodesDeleted, snapshot.statUnknown,
                        snapshot.gaps.size()),
            width) +
        "\n";
    const std::vector<std::string> notes = fieldNotes(snapshot);
    for (std::size_t i = notes.size() - std::min(notes.size(), kMaxNotes); i < notes.size(); ++i)
        text += cut(notes[i], width) + "\n";
    text += cut(fmt::format("{:<{}}  {:<26} {:>14} {:>7} {:>12} {:>8}  {}", "Lock", pathWidth, "Holder",
                            "For", "Waiting", "Longest wait", "Per min", "Verdict"),
                width) +
            "\n";
    for (std::size_t i = 0; i < snapshot.locks.size() && i < shown; ++i) {
        const LockStatus& row = snapshot.locks[i];
        const std::string held = row.holder ? heldText(*row.holder, snapshot.knownMs()) : "";
        text +=
            cut(fmt::format("{:<{}}  {:<26} {:>14} {:>7} {:>12} {:>8.0f}  {}", cut(plain(row.path, 200), 40),
                            pathWidth, cut(holderText(row), 26), held, row.waiting,
                            row.waiting > 0 ? spanText(row.longestWaitNowMs) : "", row.handoffsPerMinute,
                            row.diagnosis ? plain(sentence(*row.diagnosis).english(), 300) : ""),
                width) +
            "\n";
    }
    if (snapshot.locks.size() > shown)
        text += fmt::format("{} more\n", snapshot.locks.size() - shown);
    return text;
}

namespace {

// The locks below a folder.
struct LocksBelow
{
    LocksBelow(const Snapshot& snapshot, const std::string& path)
    {
        for (const LockStatus& one : snapshot.locks) {
            if (one.path == path || !history::isAtOrBelow(one.path, path) ||
                one.state == field::HoldState::noLock)
                continue;
            (one.holder ? held : one.state == field::HoldState::notKnown ? notKnown : free).push_back(&one);
        }
        for (auto* locks : {&held, &free, &notKnown}) // the snapshot begins with long waits
            std::sort(locks->begin(), locks->end(),
                      [](const LockStatus* a, const LockStatus* b) { return a->path < b->path; });
    }
    std::size_t count() const { return held.size() + free.size() + notKnown.size(); }
    static std::string named(const std::vector<const LockStatus*>& locks)
    {
        constexpr std::size_t kNamed = 5;
        std::string text;
        for (std::size_t i = 0; i < locks.size() && i < kNamed; ++i)
            text += (i == 0 ? "" : ", ") + plain(locks[i]->path, 100);
        return locks.size() > kNamed ? text + ", ..." : text;
    }

    std::vector<const LockStatus*> held, free, notKnown;
};

} // namespace

WhoAnswer whoHolds(const Snapshot& snapshot, const std::string& path)
{
    const SessionNames real;
    const std::string shown = plain(path, 400);
    const field::PathStatus* note = nullptr;
    for (const field::PathStatus& one : snapshot.paths)
        note = one.path == path ? &one : note;
    const auto row = std::find_if(snapshot.locks.begin(), snapshot.locks.end(),
                                  [&](const LockStatus& one) { return one.path == path; });
    using Kind = WhoAnswer::Kind;
    WhoAnswer answer;
    answer.json = {{"path", plain(path, kWholePath)}};
    const Participant* holder = row != snapshot.locks.end() && row->holder ? &*row->holder : nullptr;
    std::size_t waitingBelow = 0; // of a folder
    const auto finish = [&](WhoAnswer::Kind kind, const char* state, std::string line) {
        answer.kind = kind;
        const std::string observer = observerText(snapshot);
        answer.line = std::move(line) + (observer.empty() ? "" : " " + observer) + "\n";
        answer.json["state"] = state;
        const bool isKnown = kind != WhoAnswer::Kind::notPermitted && kind != WhoAnswer::Kind::notKnown;
        answer.json["held"] = isKnown ? json::value(kind == WhoAnswer::Kind::held) : json::value();
        if (snapshot.readOnly)
            answer.json["read_only"] = true;
        answer.json["server"] = serverJson(snapshot);
        if (row != snapshot.locks.end()) {
            answer.json["recipe"] = history::name(row->recipe);
            answer.json["waiting"] = row->waiting;
            answer.json["verdict"] = diagnosisJson(row->diagnosis, real);
            answer.json["longest_wait_now"] = longWaitJson(row->longWait, real);
        } else {
            answer.json["waiting"] = waitingBelow;
            answer.json["verdict"] = nullptr;
        }
        answer.json["holder"] = holder ? json::value(participantJson(*holder, real)) : json::value();
        return answer;
    };
    if (note && note->kind == field::PathStatus::Kind::notPermitted)
        return finish(WhoAnswer::Kind::notPermitted, "not_permitted", shown + ": no permission to read it.");
    // A node that a program registers itself by is no lock, whoever owns it; nor is one that stands in a
    // queue.
    const queue::NodeName own = queue::parse(queue::nameOf(path), queue::parentOf(path));
    const bool isNode = row == snapshot.locks.end() && note && note->node;
    const bool registration =
        isNode && queue::roleOf(own, note->node->data, !note->node->persistent) == queue::Role::member;
    const bool standsInQueue =
        isNode && (own.scheme ? queue::isOfLock(own.role) && own.role != queue::Role::fixedName
                              : note->node->session.valid() && queue::numberOf(queue::nameOf(path)));
    const std::string noQuorum =
        snapshot.readOnly ? " No quorum: this is the state of a read-only server, which may be old." : "";
    if (holder) {
        std::string line = shown + ": held by " + whoText(*holder);
        if (!holder->address.empty() && whoText(*holder) != plain(holder->address, 80))
            line += " from " + plain(holder->address, 80);
        if (holder->session.valid())
            line += ", session " + real(holder->session);
        line += ", node " + plain(holder->node, 100) + wordsText(*holder);
        if (holder->persistent && !holder->foreign)
            line += holder->persistentByDesign ? ", persistent by design"
                                               : ", persistent (or with a TTL): it outlives its client";
        if (holder->heldSince && holder->heldSince->exact())
            line += ", since " + utc(holder->heldSince->latestMs);
        else if (holder->heldSince)
            line += fmt::format(", since some time between {} and {}", utc(holder->heldSince->earliestMs),
                                utc(holder->heldSince->latestMs));
        else
            line += ", since when is not known";
        if (holder->notPermitted)
            line += ", no permission to read the node";
        if (row->holders > 1)
            line += fmt::format(", and {} more", row->holders - 1);
        if (const auto unsure = std::count_if(row->participants.begin(), row->participants.end(),
                                              [](const Participant& one) { return one.mayHold; }))
            line += fmt::format(", and {} more may hold", unsure);
        if (row->recipe == history::Recipe::fixedName) // clients that wait for it have no nodes
            line += own.scheme && queue::isOfLock(queue::roleOf(own, holder->data, true))
                        ? "; who waits for it does not show"
                        : "; if it is a lock: by its name it may be a registration";
        else
            line += fmt::format("; {} waiting", row->waiting);
        if (row->longWait)
            line += "; " + longWaitText(*row);
        line += row->diagnosis ? "; " + plain(sentence(*row->diagnosis).english(), 400) : std::string(".");
        return finish(Kind::held, "held", line + noQuorum);
    }
    const LocksBelow below(snapshot, path);
    const bool isFolder = row == snapshot.locks.end() && below.count() > 0 && !standsInQueue;
    if (isFolder) {
        for (const auto* locks : {&below.held, &below.free, &below.notKnown})
            for (const LockStatus* one : *locks)
                waitingBelow += one->waiting;
        if (!below.held.empty()) {
            holder = &*below.held.front()->holder;
            return finish(
                Kind::held, "folder",
                fmt::format("{}: not a lock, but {} below it, of which {} held: {}; {} is held by {}.", shown,
                            below.count() == 1 ? "one is" : fmt::format("{} are", below.count()),
                            below.held.size() == 1 ? "one is" : fmt::format("{} are", below.held.size()),
                            LocksBelow::named(below.held), plain(below.held.front()->path, 100),
                            whoText(*holder)) +
                    noQuorum);
        }
    }
    if (snapshot.readOnly)
        return finish(WhoAnswer::Kind::notKnown, "not_known",
                      shown + ": not known. No quorum: in the state of a read-only server, which may be old, "
                              "no client holds it.");
    if (!note || note->kind == field::PathStatus::Kind::missing)
        return finish(WhoAnswer::Kind::noSuchPath, "no_such_path", shown + ": there is no such path.");
    if (!snapshot.foldersNotPermitted.empty())
        return finish(WhoAnswer::Kind::notPermitted, "not_permitted",
                      shown + ": not known; no permission to read " +
                          plain(snapshot.foldersNotPermitted.front(), 200) + ".");
    if (isFolder) {
        const std::string locks =
            fmt::format("{}: not a lock, but {} below it: {}", shown,
                        below.count() == 1 ? "one is" : fmt::format("{} are", below.count()),
                        LocksBelow::named(below.free.empty() ? below.notKnown : below.free));
        if (!below.notKnown.empty())
            return finish(
                Kind::notKnown, "folder",
                fmt::format("{}. It is not known who holds {}.", locks, LocksBelow::named(below.notKnown)));
        if (note->mayBeLocks > 0)
            return finish(Kind::notKnown, "folder",
                          fmt::format("{}. Nobody holds {}; but {} below it may be locks, too: {}{}.", locks,
                                      below.count() == 1 ? "it" : "them", counted(note->mayBeLocks, "node"),
                                      plain(note->mayBeLock, 200), note->mayBeLocks > 1 ? ", ..." : ""));
        return finish(Kind::free, "folder",
                      fmt::format("{}. Nobody holds {}.", locks, below.count() == 1 ? "it" : "any of them"));
    }
    if (standsInQueue)
        return finish(Kind::noLock, "no_lock",
                      fmt::format("{}: a node of {}, which is the path to ask for; {}.", shown,
                                  plain(queue::parentOf(path), 400),
                                  note->node->session.valid() ? "its session is " + real(note->node->session)
                                                              : "it has no session"));
    const LockStatus* semaphore = row == snapshot.locks.end() ? semaphoreOf(snapshot, path) : nullptr;
    if (semaphore || path.ends_with(queue::kKazooMutexSuffix)) {
        const std::string whole = path.ends_with(queue::kKazooMutexSuffix)
                                      ? path.substr(0, path.size() - queue::kKazooMutexSuffix.size())
                                      : std::string(queue::parentOf(path));
        return finish(Kind::noLock, "no_lock",
                      fmt::format("{}: a part of the semaphore {}, which is the lock to ask for; {} in it.",
                                  shown, plain(whole, 400), counted(note->children, "node")));
    }
    if (row != snapshot.locks.end()) {
        const Participant* first = row->participants.empty() ? nullptr : &row->participants.front();
        const queue::Scheme* scheme = first ? schemeOf(*first) : nullptr;
        if (row->state == field::HoldState::noLock)
            return finish(Kind::noLock, "no_lock",
                          fmt::format("{}: no lock; {}.", shown,
                                      registrationsText(row->participants.size(), true, scheme)));
        if (row->state == field::HoldState::notKnown && row->recipe == history::Recipe::fixedName)
            return finish(Kind::notKnown, "not_known",
                          shown + ": not known: it may be a lock or a registration.");
        const auto unsure = std::find_if(row->participants.begin(), row->participants.end(),
                                         [](const Participant& one) { return one.mayHold; });
        if (row->state == field::HoldState::notKnown && unsure != row->participants.end())
            return finish(Kind::notKnown, "not_known",
                          fmt::format("{}: not known who holds: {} was there before the node in front of it, "
                                      "and may have been first.",
                                      shown, plain(unsure->node, 100)));
        if (row->state == field::HoldState::notKnown)
            return finish(Kind::notKnown, "not_known",
                          fmt::format("{}: not known who holds: {}{}.", shown,
                                      hiddenText(row->participants.size(), scheme, false),
                                      first ? ", the first is " + plain(first->node, 100) : std::string()));
        if (row->waiting == 0)
            return finish(Kind::free, "free", shown + ": free; no client holds it or waits.");
        if (const Participant* foreign = foreignIn(*row))
            return finish(
                Kind::free, "free",
                fmt::format(
                    "{}: nobody can hold it: the node {} is in front, which does not belong to a lock ({}); "
                    "{} waiting.",
                    shown, plain(foreign->node, 100),
                    foreign->session.valid() ? "session " + real(foreign->session) : "no session",
                    row->waiting));
        if (!first || !first->inAcquireMutex)
            return finish(Kind::free, "free", fmt::format("{}: free; {} waiting.", shown, row->waiting));
        std::string line =
            fmt::format("{}: nobody has a lease; {} waiting. The first in the entrance, {}, is {}", shown,
                        row->waiting, plain(first->parent + "/" + first->node, 400), whoText(*first));
        if (first->session.valid())
            line += ", session " + real(first->session);
        line += wordsText(*first) + ", since " + utc(first->createdMs) +
                ": until it has entered, nobody else can";
        line += row->diagnosis ? "; " + plain(sentence(*row->diagnosis).english(), 400) : std::string(".");
        return finish(Kind::free, "free", line);
    }
    if (registration)
        return finish(Kind::noLock, "no_lock",
                      fmt::format("{}: no lock; {}.", shown,
                                  registrationsText(1, note->node && !note->node->persistent, own.scheme)));
    if (note->children == 0 && !note->isSemaphore && note->node && !note->node->data.empty())
        return finish(Kind::notKnown, "not_known",
                      fmt::format("{}: not known to be a lock by its name: a {}node with data \"{}\"{}.",
                                  shown, note->node->persistent ? "persistent " : "",
                                  plain(note->node->data, 80),
                                  own.library == queue::Library::shedLock
                                      ? " (ShedLock's: it is locked until that time)"
                                      : ""));
    if (note->children == 0)
        return finish(Kind::free, "free", shown + ": free; no client holds it or waits.");
    if (note->registrations > 0)
        return finish(Kind::noLock, "no_lock",
                      fmt::format("{}: no lock; {}.", shown,
                                  registrationsText(note->registrations, note->ephemeral > 0, note->scheme)));
    if (note->hidden + note->numbered > 0)
        return finish(Kind::notKnown, "not_known",
                      fmt::format("{}: not known who holds: {}.", shown,
                                  hiddenText(note->scheme ? note->hidden : note->numbered, note->scheme,
                                             note->ephemeral == 0)));
    if (note->mayBeLocks == 0)
        return finish(Kind::free, "folder", shown + ": not a lock; no client holds anything below it.");
    return finish(
        Kind::noLock, "no_lock",
        fmt::format("{}: no lock by its name: it has {} ({} ephemeral), and no name is that of a lock's "
                    "node. They may be registrations.",
                    shown, counted(note->children, "child node"), note->ephemeral));
}

std::string lockFolderOf(const Snapshot& snapshot, const std::string& path)
{
    const bool isLock = std::any_of(snapshot.locks.begin(), snapshot.locks.end(), [&](const LockStatus& row) {
        return row.path == path && row.recipe != history::Recipe::fixedName;
    });
    std::string folder(isLock ? path : queue::parentOf(path));
    for (const std::string_view part : {queue::kLeasesSuffix, queue::kMutexSuffix, queue::kKazooMutexSuffix})
        if (!isLock && folder.size() > part.size() && folder.ends_with(part)) // of a semaphore
            folder.resize(folder.size() - part.size());
    return folder.empty() ? "/" : folder;
}

namespace {

std::string pathOf(const Participant& one) { return one.parent + "/" + one.node; }

// "10.1.2.3 from 127.0.0.1:4711, session 0x1".
std::string ownerText(const Participant& one)
{
    std::string text = whoText(one);
    if (!one.address.empty() && text != plain(one.address, 80))
        text += " from " + plain(one.address, 80);
    if (one.session.valid() && text != SessionNames()(one.session))
        text += ", session " + SessionNames()(one.session);
    return text + wordsText(one);
}

std::string takenText(const LockStatus& row, const Participant& one)
{
    const std::string waiting = counted(row.waiting, "client") + (row.waiting == 1 ? " waits" : " wait");
    if (one.waits)
        return "its place in the queue; the lock stays with " +
               (row.holder ? ownerText(*row.holder) : std::string("whoever has it"));
    if (!one.holds && !one.foreign)
        return "not known: its recipe does not show who holds";
    const auto next =
        std::find_if(row.participants.begin(), row.participants.end(), [&](const Participant& other) {
            return other.waits && (other.behind.empty() || other.behind == one.node);
        });
    std::string text = one.foreign ? "a node that is no lock's, but that all here wait for; " + waiting
                                   : "the lock; " + waiting;
    if (next != row.participants.end())
        text += ", next is " + ownerText(*next);
    if (one.session.valid())
        text +=
            ".\n            Its program is not asked: unless it watches this node, it goes on as if it had "
            "the lock";
    return text;
}

} // namespace

FreeOffer offerToFree(const Snapshot& snapshot, const std::string& path, const std::string& around)
{
    const LockStatus* lock = nullptr;
    const Participant* node = nullptr;
    std::size_t holders = 0;
    for (const LockStatus& row : snapshot.locks)
        for (const Participant& one : row.participants) {
            const bool named = pathOf(one) == path;
            const bool inFront = row.path == path && (one.holds || (holders == 0 && !node));
            if (!named && !inFront)
                continue;
            holders += !named && one.holds ? 1 : 0;
            if (named || !node || !node->holds)
                node = &one;
            lock = &row;
        }
    FreeOffer offer;
    if (holders > 1) {
        offer.text = plain(path, 400) + ": " + counted(holders, "client") +
                     " hold it at once. Give the path of one node:\n";
        for (const Participant& one : lock->participants)
            if (one.holds)
                offer.text += "  " + plain(pathOf(one), kWholePath) + "  of " + ownerText(one) + "\n";
        return offer;
    }
    if (!node) {
        offer.text = whoHolds(snapshot, path).line;
        return offer;
    }
    if (!node->created.valid()) {
        offer.text =
            plain(pathOf(*node), kWholePath) + ": no permission to read it, so its czxid is not known.\n";
        return offer;
    }
    offer.path = pathOf(*node);
    offer.lock = lock->path;
    offer.czxid = node->created;
    std::string also;
    for (const LockStatus& row : snapshot.locks)
        for (const Participant& one : row.participants)
            if (node->session.valid() && one.session == node->session && &one != node)
                also += fmt::format("\n            {} ({})", plain(pathOf(one), kWholePath),
                                    one.holds   ? "holds " + plain(row.path, 200)
                                    : one.waits ? "waits for " + plain(row.path, 200)
                                                : std::string("not known what for"));
    const std::string seen =
        plain(around, 200) +
        (snapshot.foldersNotPermitted.empty() ? "" : ", where some folders may not be read");
    offer.text =
        fmt::format("{}\n  lock:     {} ({}){}\n  owner:    {}\n  node:     created {}, czxid {}{}\n"
                    "  deleting  takes {}.\n",
                    plain(offer.path, kWholePath), plain(lock->path, kWholePath), history::name(lock->recipe),
                    node->holds ? ", held for " + heldText(*node, snapshot.knownMs()) : std::string(),
                    ownerText(*node), utc(node->createdMs), hexText(node->created),
                    node->persistentByDesign ? ", persistent by design"
                    : node->persistent       ? ", persistent: it outlives its client"
                                             : "",
                    takenText(*lock, *node));
    if (node->session.valid())
        offer.text += also.empty() ? "  session:  has no other node of a lock below " + seen +
                                         "; elsewhere is not known\n"
                                   : "  session:  also has, below " + seen + ":" + also + "\n";
    if (lock->diagnosis)
        offer.text += "  verdict:  " + plain(sentence(*lock->diagnosis).english(), 400) + " " +
                      plain(remedy(*lock->diagnosis).english(), 400) + "\n";
    return offer;
}

boost::json::object notAnswered(const std::string& path, const Error& why)
{
    return {{"path", plain(path, kWholePath)},
            {"state", why.code == ErrorCode::noAuth ? "not_permitted" : "not_known"},
            {"held", nullptr},
            {"waiting", nullptr},
            {"verdict", nullptr},
            {"holder", nullptr},
            {"error", plain(why.text(), 2000)}};
}

} // namespace lockscope::app
