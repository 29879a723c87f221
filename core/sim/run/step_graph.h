// The steps that the events of a queue lock tell of, and the order in which the server saw them. Replies of
// several sessions arrive in any order: what a list had in front of a node, what a watch found and which
// watch fired say which delete came before which read. Made of a part of a trace that has no StepObstacle.
// Pure; lives for one question.
#pragma once

#include "core/sim/script/script.h"
#include "core/trace/store.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::sim {

class StepGraph
{
public:
    // Of the first `events` events.
    StepGraph(const trace::TraceStore& store, std::size_t events);

    // What was not answered yet counts as not taken, unless something else tells that it was.
    std::vector<TakenStep> inOrder() const;

private:
    static constexpr std::size_t kNone = SIZE_MAX;

    struct Step
    {
        std::uint32_t client = 0;
        trace::GateStep step{};
        std::size_t at = kNone;     // the event that tells that it was taken; kNone: none so far
        std::size_t asked = 0;      // the event that tells that it is under way
        std::size_t manualEvent = kNone;   // the event by which it was let go; kNone: it went by itself
        bool assumed = false;      // asleep, as far as is known
        bool dropped = false;       // what was supposed was wrong
        bool unread = false;        // a list that the client has not looked at yet
        std::vector<std::size_t> after{}; // these steps came before it
    };
    struct ClientProgress // of a client in its algorithm
    {
        std::string name{};
        std::size_t last = kNone;   // its last step
        bool awaitsEffect = false;  // it was taken by hand, and what it does was not seen yet
        std::vector<std::size_t> wokenBy{}; // the watches that fired since
    };
    struct Node
    {
        std::size_t create = kNone;
        std::size_t remove = kNone;
        std::size_t gone = kNone; // the event that told of its end
    };
    using NodeKey = std::pair<LockId, std::string>;
    struct List
    {
        std::size_t step;
        LockId lock;
        trace::Decided decided; // texts of the store
    };
    struct Watch
    {
        std::size_t step;
        NodeKey node;
        bool found; // the node was there
    };
    struct Fired
    {
        std::size_t step; // the first that the client took after it
        NodeKey node;
    };

    void read(std::size_t index);
    void onManualStep(ClientProgress& place, std::uint32_t client, trace::GateStep step, std::size_t index);
    void postponeList(Step& list);
    void effect(ClientProgress& place, std::uint32_t client, trace::GateStep step, std::size_t index);
    void addImpliedSteps(ClientProgress& place, std::uint32_t client, trace::GateStep step, std::size_t index);
    void add(ClientProgress& place, std::uint32_t client, trace::GateStep step, std::size_t index);
    void rollBackTo(ClientProgress& place, std::size_t step);
    void onRequest(ClientProgress& place, std::uint32_t client, LockId lock, const trace::Request& e, std::size_t index);
    void onReply(ClientProgress& place, std::uint32_t client, LockId lock, const trace::Reply& e, const trace::Event& event,
                 std::size_t index);
    void readPendingReplies(std::size_t events);
    void orderCreates();
    void orderLists();
    void orderWatches();
    void before(std::size_t earlier, std::size_t later);
    const Node* node(LockId lock, std::string_view name) const;
    std::vector<bool> taken() const;

    const trace::TraceStore& m_store;
    std::vector<ClientProgress> m_progress; // by client
    std::vector<Step> m_steps;
    std::map<std::size_t, std::size_t> m_asked; // requests without a reply, and their steps
    std::map<NodeKey, Node> m_nodes;
    std::vector<std::pair<Zxid, std::size_t>> m_creates;
    std::vector<List> m_lists;
    std::vector<Watch> m_watches;
    std::vector<Fired> m_fired;
    std::map<std::pair<std::uint32_t, LockId>, std::string> m_own; // the last node of each client
};

} // namespace lockscope::sim
