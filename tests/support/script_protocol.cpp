// What the clients of a trace script do: the protocol, and what they believe.
#include "tests/support/script_player.h"
#include "tests/support/script_words.h"
#include "tests/support/trace_script.h"

namespace lockscope::tests {

using namespace script_words;
using namespace std::chrono_literals;
using trace::Outcome;

// CLIENT: calls, create, created NODE, createlost, list, listwatch, listed COUNT, decided NODE POSITION/COUNT
// [AHEAD], watch NODE, watching NODE, nonode NODE, exists NODE, there NODE, notthere NODE, announce NODE,
// fired NODE, changed NODE, childrenchanged, delete NODE, deleted NODE [noNode | unknown].
bool ScriptPlayer::asProtocol(Client& c, const std::string& what, const Words& args)
{
    const std::string node = args.empty() ? std::string() : scriptNode(args[0]);
    if (what == "create") {
        request(c, Operation::create, "_c_00000000-0000-4000-8000-000000000000-lock-", false, false, c.last);
        request(c, Operation::getChildren, {}, false, true, c.last);
    } else if (what == "created") {
        reply(c, Operation::create, Outcome::ok, node, zxidOf(argument(args, 0)), 0);
        m_nodeSessions[node] = c.session;
    } else if (what == "createlost") {
        reply(c, Operation::create, Outcome::unknown, {}, Zxid::none(), 0);
    } else if (what == "list" || what == "listwatch") {
        request(c, Operation::getChildren, {}, what == "listwatch", false, c.last);
    } else if (what == "listed") {
        reply(c, Operation::getChildren, Outcome::ok, {}, Zxid::none(),
              static_cast<std::uint32_t>(number(argument(args, 0))));
    } else if (what == "decided") {
        const std::string& place = argument(args, 1);
        const auto position = static_cast<std::uint32_t>(number(place));
        const auto count = static_cast<std::uint32_t>(number(place.substr(place.find('/') + 1)));
        c.last =
            add(c, trace::Decided{node, position, count, args.size() > 2 ? scriptNode(args[2]) : ""}, c.last);
    } else if (what == "watch") {
        request(c, Operation::getData, node, true, false, c.last);
    } else if (what == "watching" || what == "nonode") {
        reply(c, Operation::getData, what == "watching" ? Outcome::ok : Outcome::noNode, node, Zxid::none(),
              0);
    } else if (what == "exists") {
        request(c, Operation::exists, node, true, false, c.last);
    } else if (what == "there" || what == "notthere") {
        reply(c, Operation::exists, what == "there" ? Outcome::ok : Outcome::noNode, node, Zxid::none(), 0);
    } else if (what == "announce") {
        request(c, Operation::setData, node, false, false, c.last);
    } else if (what == "fired" || what == "changed" || what == "childrenchanged") {
        const auto kind = what == "fired"     ? trace::WatchKind::deleted
                          : what == "changed" ? trace::WatchKind::changed
                                              : trace::WatchKind::childrenChanged;
        const auto by = m_deletions.find(node);
        const std::string named = what == "childrenchanged" ? std::string() : node;
        c.last =
            add(c, trace::WatchFired{kind, named}, by == m_deletions.end() ? EventIndex::none() : by->second);
    } else if (what == "delete") {
        request(c, Operation::remove, node, false, false, c.last);
    } else if (what == "deleted") {
        const std::string how = args.size() > 1 ? args[1] : "ok";
        reply(c, Operation::remove,
              how == "noNode"    ? Outcome::noNode
              : how == "unknown" ? Outcome::unknown
                                 : Outcome::ok,
              node, Zxid::none(), 0);
    } else {
        return false;
    }
    return true;
}

// CLIENT: calls, acquired NODE [a NODE whose token it gets], reentered DEPTH, failed [timedOut |
// sessionLost], startedover, releases NODE [DEPTH], released NODE [DEPTH], holdlost NODE, entered, left,
// conflict [NODE of the other], refused.
bool ScriptPlayer::asBelief(Client& c, const std::string& what, const Words& args)
{
    using trace::ResourceAction;
    const std::string node = args.empty() ? std::string() : scriptNode(args[0]);
    const bool deep = (what == "releases" || what == "released") && args.size() > 1;
    const auto depth = static_cast<std::uint16_t>(deep ? number(args[1]) : 0);
    if (what == "calls") {
        c.last = add(c, trace::AcquireCalled{m_owner, kForever});
    } else if (what == "acquired") {
        c.token = zxidOf(args.size() > 1 ? args[1] : argument(args, 0));
        c.last = add(c, trace::Acquired{node, c.token, m_owner}, c.last);
    } else if (what == "reentered") {
        add(c, trace::Reentered{static_cast<std::uint16_t>(number(argument(args, 0))), m_owner});
    } else if (what == "failed") {
        const bool late = !args.empty() && args[0] == "timedOut";
        add(c,
            trace::AcquireFailed{
                late ? trace::FailReason::timedOut : trace::FailReason::sessionLost, m_owner, {}},
            c.last);
    } else if (what == "startedover") {
        c.last = add(c,
                     trace::StartedOver{"_c_00000000-0000-4000-8000-000000000000-",
                                        message("the own node is missing from the queue")},
                     c.last);
    } else if (what == "releases") {
        c.last =
            add(c, trace::ReleaseCalled{node, static_cast<std::uint16_t>(depth == 0 ? 1 : depth), m_owner});
    } else if (what == "released") {
        c.last = add(c, trace::Released{node, depth, m_owner}, c.last);
    } else if (what == "holdlost") {
        add(c, trace::HoldLost{node, trace::LostReason::sessionKilled, m_owner}, c.last);
    } else if (what == "entered") {
        add(c, trace::ResourceUse{ResourceAction::entered, c.token});
    } else if (what == "left") {
        add(c, trace::ResourceUse{ResourceAction::left, c.token});
    } else if (what == "conflict") {
        add(c, trace::ResourceUse{ResourceAction::conflict, args.empty() ? Zxid::none() : zxidOf(args[0])});
    } else if (what == "refused") {
        add(c, trace::ResourceUse{ResourceAction::refused, c.token});
    } else {
        return false;
    }
    return true;
}

} // namespace lockscope::tests
