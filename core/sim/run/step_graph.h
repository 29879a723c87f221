// The protocol steps behind the events of a queue lock, in the order in which the server saw them. Replies of
// several sessions arrive in any order; the predecessor in a list, the result of a watch and the watch that
// fired show which delete came before which read. For a part of a trace that has no StepBlocker. Pure; lives
// for one query.
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

    // A step without a reply counts as not taken, unless another event proves it.
    std::vector<TakenStep> inOrder() const;

private:
    static constexpr std::size_t kNone = SIZE_MAX;

    struct Step
    {
        std::uint32_t client = 0;
        GateStep step{};
        std::size_t at = kNone;           // the event that proves it; kNone: none so far
        std::size_t asked = 0;            // the event of its request
        std::size_t manualEvent = kNone;  // the StepTaken event of a manual step, otherwise kNone
        bool assumed = false;             // a sleep that no event proves
        bool dropped = false;             // it was assumed or sent, but not taken
        bool unread = false;              // a list that the client has not evaluated yet
        std::vector<std::size_t> after{}; // steps before this one
    };
    struct ClientProgress // how far a client is in its algorithm
    {
        std::string name{};
        std::size_t last = kNone;           // its last step
        bool awaitsEffect = false;          // its last step is manual, and its effect has not been seen yet
        std::vector<std::size_t> wokenBy{}; // watches that have fired since
    };
    struct Node
    {
        std::size_t create = kNone;
        std::size_t remove = kNone;
        std::size_t gone = kNone; // the first event after its end
    };
    using NodeKey = std::pair<LockId, std::string>;
    struct List
    {
        std::size_t step;
        LockId lock;
        trace::Decided decided; // refers to texts of the store
    };
    struct Watch
    {
        std::size_t step;
        NodeKey node;
        bool found; // the node existed
    };
    struct Fired
    {
        std::size_t step; // the client's first step after it
        NodeKey node;
    };

    void read(std::size_t index);
    void onManualStep(ClientProgress& place, std::uint32_t client, GateStep step, std::size_t index);
    void postponeList(Step& list);
    void effect(ClientProgress& place, std::uint32_t client, GateStep step, std::size_t index);
    void addImpliedSteps(ClientProgress& place, std::uint32_t client, GateStep step, std::size_t index);
    void add(ClientProgress& place, std::uint32_t client, GateStep step, std::size_t index);
    void rollBackTo(ClientProgress& place, std::size_t step);
    void onRequest(ClientProgress& place, std::uint32_t client, LockId lock, const trace::Request& e,
                   std::size_t index);
    void onReply(ClientProgress& place, std::uint32_t client, LockId lock, const trace::Reply& e,
                 const trace::Event& event, std::size_t index);
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
