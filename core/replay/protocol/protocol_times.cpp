// Estimates when the server processed each message, and finds the messages that belong to a handoff.
#include "core/replay/protocol/protocol_maker.h"

#include <algorithm>
#include <unordered_set>

namespace lockscope::replay {

using Kind = ProtocolMessage::Kind;

namespace {

constexpr int kMaxChain = 12; // the most causes followed from an acquisition back to the release
constexpr Duration kDefaultLatency = std::chrono::milliseconds(1);

} // namespace

void ProtocolMaker::findTypicalLatency()
{
    std::vector<Duration> all;
    for (const ProtocolMessage& message : m_protocol.messages)
        if (message.kind == Kind::reply && !message.lost && message.latency != kForever &&
            message.latency > Duration::zero())
            all.push_back(message.latency);
    if (all.empty())
        return;
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    m_protocol.typicalLatency = *middle;
}

// `sent` plus half the typical latency, but at most halfway to `latest`.
TraceTime ProtocolMaker::soonAfter(TraceTime sent, TraceTime latest) const
{
    const Duration way =
        (m_protocol.typicalLatency > Duration::zero() ? m_protocol.typicalLatency : kDefaultLatency) / 2;
    return sent + std::min(way, std::max(Duration::zero(), latest - sent) / 2);
}

void ProtocolMaker::placeAtServer()
{
    for (std::size_t i = 0; i < m_protocol.messages.size(); ++i) {
        ProtocolMessage& message = m_protocol.messages[i];
        if (message.kind != Kind::request)
            continue;
        const auto answer = m_answers.find(i);
        const bool answered = answer != m_answers.end();
        message.atServer = answered && !answer->second.lost
                               ? message.atClient + (answer->second.at - message.atClient) / 2
                               : soonAfter(message.atClient, answered ? answer->second.at : kForever / 2);
    }
    for (const ProtocolMessage& message : m_protocol.messages)
        if (message.kind == Kind::watch)
            bringForward(message);
    for (std::size_t i = 0; i < m_protocol.messages.size(); ++i)
        placeAnswer(i);
    for (ProtocolNote& note : m_protocol.notes)
        if (note.atServer)
            bringForward(note);
}

// The server ended the session before it sent the watch events for its nodes, in whatever order these
// arrived.
void ProtocolMaker::bringForward(ProtocolNote& end) const
{
    const EventIndex cause = m_store.at(end.event).cause;
    if (!cause.valid())
        return;
    for (const ProtocolMessage& message : m_protocol.messages)
        if (message.kind == Kind::watch && m_store.at(message.event).cause == cause)
            end.at = std::min(end.at, message.atServer - Duration(1));
}

// The server processed the cause of a watch event before the event arrived.
void ProtocolMaker::bringForward(const ProtocolMessage& watch)
{
    const std::size_t request = requestRow(m_store.at(watch.event).cause);
    if (request == kNoRow)
        return;
    ProtocolMessage& cause = m_protocol.messages[request];
    const Duration whole = watch.atClient - cause.atClient;
    cause.atServer = std::min(cause.atServer, cause.atClient + std::max(Duration::zero(), whole) / 2);
}

void ProtocolMaker::placeAnswer(std::size_t row)
{
    ProtocolMessage& message = m_protocol.messages[row];
    if (message.kind == Kind::request)
        return;
    const EventIndex cause = m_store.at(message.event).cause;
    const std::size_t request = requestRow(cause);
    if (request != kNoRow)
        message.atServer = m_protocol.messages[request].atServer;
    else if (payloadAt<trace::SessionGone>(m_store, cause, message.event.value))
        message.atServer = m_store.at(cause).at;
    else if (message.latency != kForever)
        message.atServer = message.atClient - message.latency / 2;
    else
        message.atServer = message.atClient - kDefaultLatency / 2;
    message.atServer = std::min(message.atServer, message.atClient);
}

// Follows the causes of each acquisition back; an acquisition that a watch event caused is a handoff.
void ProtocolMaker::markHandoffs()
{
    std::unordered_set<std::uint32_t> chain;
    for (const ProtocolNote& note : m_protocol.notes) {
        const EventIndex acquired = note.second.valid() ? note.second : note.event;
        if (!payloadAt<trace::Acquired>(m_store, acquired, m_limit))
            continue;
        std::vector<std::uint32_t> links;
        bool woken = false;
        EventIndex at = acquired;
        for (int i = 0; i < kMaxChain && at.valid() && at.value < m_limit; ++i) {
            links.push_back(at.value);
            woken = woken || std::holds_alternative<trace::WatchFired>(m_store.at(at).what);
            const EventIndex cause = m_store.at(at).cause;
            if (cause.valid() && cause.value >= at.value)
                break; // a broken trace
            if (woken && std::holds_alternative<trace::Request>(m_store.at(at).what))
                break; // the delete request
            at = cause;
        }
        if (woken)
            chain.insert(links.begin(), links.end());
    }
    addOpenHandoffs(chain);
    for (ProtocolMessage& message : m_protocol.messages)
        message.handoff = chain.contains(message.event.value) ||
                          (message.second.valid() && chain.contains(message.second.value));
}

// Handoffs under way: a client was woken by a release and has not acquired yet.
void ProtocolMaker::addOpenHandoffs(std::unordered_set<std::uint32_t>& chain) const
{
    std::unordered_set<std::uint32_t> woken; // the watch events, and the messages that they caused
    for (const ProtocolMessage& message : m_protocol.messages) {
        const EventIndex cause = m_store.at(message.event).cause;
        const auto* fired = payloadAt<trace::WatchFired>(m_store, message.event, m_limit);
        const bool firedForDeletion = fired && fired->kind == trace::WatchKind::deleted;
        if (cause.valid() && woken.contains(cause.value)) {
            woken.insert(message.event.value);
        } else if (firedForDeletion && !chain.contains(cause.value) &&
                   payloadAt<trace::Request>(m_store, cause, message.event.value) &&
                   payloadAt<trace::ReleaseCalled>(m_store, m_store.at(cause).cause, cause.value)) {
            woken.insert(message.event.value);
            chain.insert(cause.value);
        }
    }
    chain.merge(woken);
}

} // namespace lockscope::replay
