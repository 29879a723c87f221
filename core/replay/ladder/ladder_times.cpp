// Estimates when the server processed each message, and finds the messages that belong to a handoff.
#include "core/replay/ladder/ladder_maker.h"

#include <algorithm>
#include <unordered_set>

namespace lockscope::replay {

using Kind = LadderMessage::Kind;

namespace {

constexpr int kMaxChain = 12; // the most causes followed from an acquisition back to the release
constexpr Duration kDefaultLatency = std::chrono::milliseconds(1);

} // namespace

void LadderMaker::findTypicalLatency()
{
    std::vector<Duration> all;
    for (const LadderMessage& message : m_ladder.messages)
        if (message.kind == Kind::reply && !message.lost && message.latency != kForever &&
            message.latency > Duration::zero())
            all.push_back(message.latency);
    if (all.empty())
        return;
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    m_ladder.typicalLatency = *middle;
}

// `sent` plus half the typical latency, but at most halfway to `latest`.
TraceTime LadderMaker::soonAfter(TraceTime sent, TraceTime latest) const
{
    const Duration way =
        (m_ladder.typicalLatency > Duration::zero() ? m_ladder.typicalLatency : kDefaultLatency) / 2;
    return sent + std::min(way, std::max(Duration::zero(), latest - sent) / 2);
}

void LadderMaker::placeAtServer()
{
    for (std::size_t i = 0; i < m_ladder.messages.size(); ++i) {
        LadderMessage& message = m_ladder.messages[i];
        if (message.kind != Kind::request)
            continue;
        const auto answer = m_answers.find(i);
        const bool answered = answer != m_answers.end();
        message.atServer = answered && !answer->second.lost
                               ? message.atClient + (answer->second.at - message.atClient) / 2
                               : soonAfter(message.atClient, answered ? answer->second.at : kForever / 2);
    }
    for (const LadderMessage& message : m_ladder.messages)
        if (message.kind == Kind::watch)
            bringForward(message);
    for (std::size_t i = 0; i < m_ladder.messages.size(); ++i)
        placeAnswer(i);
    for (LadderNote& note : m_ladder.notes)
        if (note.atServer)
            bringForward(note);
}

// The server ended the session before it sent the watch events for its nodes, in whatever order these
// arrived.
void LadderMaker::bringForward(LadderNote& end) const
{
    const EventIndex cause = m_store.at(end.event).cause;
    if (!cause.valid())
        return;
    for (const LadderMessage& message : m_ladder.messages)
        if (message.kind == Kind::watch && m_store.at(message.event).cause == cause)
            end.at = std::min(end.at, message.atServer - Duration(1));
}

// The server processed the cause of a watch event before the event arrived.
void LadderMaker::bringForward(const LadderMessage& watch)
{
    const std::size_t request = requestRow(m_store.at(watch.event).cause);
    if (request == kNoRow)
        return;
    LadderMessage& cause = m_ladder.messages[request];
    const Duration whole = watch.atClient - cause.atClient;
    cause.atServer = std::min(cause.atServer, cause.atClient + std::max(Duration::zero(), whole) / 2);
}

void LadderMaker::placeAnswer(std::size_t row)
{
    LadderMessage& message = m_ladder.messages[row];
    if (message.kind == Kind::request)
        return;
    const EventIndex cause = m_store.at(message.event).cause;
    const std::size_t request = requestRow(cause);
    if (request != kNoRow)
        message.atServer = m_ladder.messages[request].atServer;
    else if (payloadAt<trace::SessionGone>(m_store, cause, message.event.value))
        message.atServer = m_store.at(cause).at;
    else if (message.latency != kForever)
        message.atServer = message.atClient - message.latency / 2;
    else
        message.atServer = message.atClient - kDefaultLatency / 2;
    message.atServer = std::min(message.atServer, message.atClient);
}

// Follows the causes of each acquisition back; an acquisition that a watch event caused is a handoff.
void LadderMaker::markHandoffs()
{
    std::unordered_set<std::uint32_t> chain;
    for (const LadderNote& note : m_ladder.notes) {
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
    for (LadderMessage& message : m_ladder.messages)
        message.handoff = chain.contains(message.event.value) ||
                          (message.second.valid() && chain.contains(message.second.value));
}

// Handoffs under way: a client was woken by a release and has not acquired yet.
void LadderMaker::addOpenHandoffs(std::unordered_set<std::uint32_t>& chain) const
{
    std::unordered_set<std::uint32_t> woken; // the watch events, and the messages that they caused
    for (const LadderMessage& message : m_ladder.messages) {
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
