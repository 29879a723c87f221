// Makes a Protocol: selects the events that have a row (protocol_maker.cpp) and estimates when the server
// processed them (protocol_times.cpp). Lives for one query.
#pragma once

#include "core/replay/protocol/protocol.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lockscope::replay {

// Whether the protocol draws this event and the query includes it.
bool passes(const trace::TraceStore& store, std::size_t index, const ProtocolQuery& query);

// The event's payload if it is of type T and the event lies before `limit`; otherwise null.
template <class T>
const T* payloadAt(const trace::TraceStore& store, EventIndex index, std::size_t limit)
{
    return index.valid() && index.value < limit ? std::get_if<T>(&store.at(index).what) : nullptr;
}

class ProtocolMaker
{
public:
    ProtocolMaker(const trace::TraceStore& store, const ProtocolQuery& query)
        : m_store(store)
        , m_query(query)
        , m_limit(std::min(query.limit, store.count()))
    {}
    Protocol make();

private:
    EventIndex id(std::size_t index) const { return EventIndex{static_cast<std::uint32_t>(index)}; }
    void collect();
    void take(std::size_t index);
    ProtocolMessage& add(ProtocolMessage::Kind kind, std::size_t index, const trace::Event& event);
    void takeRequest(std::size_t index, const trace::Event& event, const trace::Request& request);
    std::size_t requestRow(EventIndex cause) const; // kNoRow if it is not shown
    void takeReply(std::size_t index, const trace::Event& event, const trace::Reply& reply);
    void answer(std::size_t request, TraceTime at, bool lost);
    void takeWatch(std::size_t index, const trace::Event& event);
    void takeNote(std::size_t index, const trace::Event& event);
    void giveUpOn(ClientId client);
    void lookAhead();
    void findTypicalLatency();
    TraceTime soonAfter(TraceTime sent, TraceTime latest) const;
    void placeAtServer();
    void bringForward(const ProtocolMessage& watch);
    void bringForward(ProtocolNote& end) const;
    void placeAnswer(std::size_t row);
    void markHandoffs();
    void addOpenHandoffs(std::unordered_set<std::uint32_t>& chain) const;

    struct Answer
    {
        TraceTime at{};
        bool lost = false;
    };
    const trace::TraceStore& m_store;
    const ProtocolQuery& m_query;
    std::size_t m_limit;
    Protocol m_protocol;
    std::vector<std::size_t> m_kept;
    std::unordered_map<std::uint32_t, std::size_t> m_requests; // Request -> its message
    std::unordered_map<std::size_t, std::size_t> m_requestOf;  // a reply's message -> its request's
    std::unordered_map<std::size_t, Answer> m_answers;         // a request's message -> its answer
    std::size_t m_lastRow = kNoRow;                            // the last message, if no note came after it

    static constexpr auto kNoRow = static_cast<std::size_t>(-1);
};

} // namespace lockscope::replay
