#include "core/replay/protocol/protocol_maker.h"

#include <algorithm>
#include <utility>

namespace lockscope::replay {

using trace::Event;
using Kind = ProtocolMessage::Kind;

namespace {

constexpr std::size_t kLookAhead = 1024; // events searched for the replies to the last requests shown

bool endsSession(const Event& event)
{
    const auto* state = std::get_if<trace::SessionState>(&event.what);
    return state &&
           (state->phase == trace::SessionPhase::lost || state->phase == trace::SessionPhase::closed);
}

// Whether a suspended client is connected again. The first connection of a session is not one.
bool reconnects(const trace::TraceStore& store, std::size_t index)
{
    const Event& event = store.at(index);
    const auto* state = std::get_if<trace::SessionState>(&event.what);
    if (!state || state->phase != trace::SessionPhase::connected)
        return false;
    const std::size_t end = index - std::min(index, kProtocolMaxEvents);
    for (std::size_t at = index; at-- > end;) {
        const Event& before = store.at(at);
        const auto* last = std::get_if<trace::SessionState>(&before.what);
        if (last && before.client == event.client && last->phase != trace::SessionPhase::connecting)
            return last->phase == trace::SessionPhase::suspended;
    }
    return false;
}

} // namespace

bool passes(const trace::TraceStore& store, std::size_t index, const ProtocolQuery& query)
{
    const Event& event = store.at(index);
    if (query.lock.valid() && event.lock.valid() && event.lock != query.lock)
        return false;
    return std::binary_search(query.clients.begin(), query.clients.end(), event.client) &&
           (isProtocolEvent(event) || reconnects(store, index));
}

Protocol ProtocolMaker::make()
{
    collect();
    for (const std::size_t index : m_kept)
        take(index);
    lookAhead();
    findTypicalLatency();
    placeAtServer();
    markHandoffs();
    return std::move(m_protocol);
}

void ProtocolMaker::collect()
{
    const bool back = m_query.backward;
    std::size_t at = back ? m_limit : std::min(m_query.from, m_limit);
    m_protocol.first = m_protocol.last = at;
    while (m_protocol.visited < kProtocolMaxEvents && m_kept.size() < m_query.rows &&
           (back ? at > 0 : at < m_limit)) {
        const std::size_t index = back ? --at : at++;
        ++m_protocol.visited;
        if (passes(m_store, index, m_query))
            m_kept.push_back(index);
    }
    (back ? m_protocol.first : m_protocol.last) = at;
    if (back)
        std::reverse(m_kept.begin(), m_kept.end());
}

void ProtocolMaker::take(std::size_t index)
{
    const Event& event = m_store.at(index);
    if (const auto* request = std::get_if<trace::Request>(&event.what))
        takeRequest(index, event, *request);
    else if (const auto* reply = std::get_if<trace::Reply>(&event.what))
        takeReply(index, event, *reply);
    else if (std::holds_alternative<trace::WatchFired>(event.what))
        takeWatch(index, event);
    else
        takeNote(index, event);
}

ProtocolMessage& ProtocolMaker::add(Kind kind, std::size_t index, const Event& event)
{
    m_protocol.messages.push_back({.kind = kind,
                                   .client = event.client,
                                   .atClient = event.at,
                                   .atServer = event.at,
                                   .event = id(index)});
    m_lastRow = m_protocol.messages.size() - 1;
    return m_protocol.messages.back();
}

void ProtocolMaker::takeRequest(std::size_t index, const Event& event, const trace::Request& request)
{
    if (request.together && m_lastRow != kNoRow) {
        ProtocolMessage& before = m_protocol.messages[m_lastRow];
        if (before.kind == Kind::request && before.client == event.client && !before.second.valid()) {
            before.second = id(index);
            m_requests[static_cast<std::uint32_t>(index)] = m_lastRow;
            return;
        }
    }
    add(Kind::request, index, event);
    m_requests[static_cast<std::uint32_t>(index)] = m_lastRow;
}

std::size_t ProtocolMaker::requestRow(EventIndex cause) const
{
    const auto found = cause.valid() ? m_requests.find(cause.value) : m_requests.end();
    return found == m_requests.end() ? kNoRow : found->second;
}

void ProtocolMaker::takeReply(std::size_t index, const Event& event, const trace::Reply& reply)
{
    const bool known = payloadAt<trace::Request>(m_store, event.cause, index) != nullptr;
    const Duration latency = known ? event.at - m_store.at(event.cause).at : kForever;
    const bool lost = reply.outcome == trace::Outcome::unknown;
    const std::size_t request = requestRow(event.cause);
    if (request != kNoRow)
        answer(request, event.at, lost);
    if (m_lastRow != kNoRow && request != kNoRow) {
        ProtocolMessage& before = m_protocol.messages[m_lastRow];
        if (before.kind == Kind::reply && !before.second.valid() && before.lost == lost &&
            m_requestOf[m_lastRow] == request) {
            before.second = id(index);
            before.atClient = std::max(before.atClient, event.at);
            return;
        }
    }
    ProtocolMessage& message = add(Kind::reply, index, event);
    message.latency = latency;
    message.lost = lost;
    m_requestOf[m_lastRow] = request;
    if (lost)
        m_protocol.notes.push_back({.event = id(index), .client = event.client, .at = event.at});
}

void ProtocolMaker::answer(std::size_t request, TraceTime at, bool lost)
{
    ProtocolMessage& message = m_protocol.messages[request];
    if (message.answered)
        return;
    message.answered = true;
    m_answers[request] = {at, lost};
}

void ProtocolMaker::takeWatch(std::size_t index, const Event& event)
{
    ProtocolMessage& message = add(Kind::watch, index, event);
    if (event.cause.valid() && event.cause.value < index)
        message.latency = event.at - m_store.at(event.cause).at;
}

void ProtocolMaker::takeNote(std::size_t index, const Event& event)
{
    const bool server = std::holds_alternative<trace::SessionGone>(event.what);
    if (endsSession(event))
        giveUpOn(event.client);
    m_lastRow = kNoRow;
    if (std::holds_alternative<trace::Acquired>(event.what) && !m_protocol.notes.empty()) {
        ProtocolNote& before = m_protocol.notes.back();
        if (before.event == event.cause && !before.second.valid() &&
            payloadAt<trace::Decided>(m_store, before.event, index)) {
            before.second = id(index);
            return;
        }
    }
    m_protocol.notes.push_back(
        {.event = id(index), .client = event.client, .at = event.at, .atServer = server});
}

void ProtocolMaker::giveUpOn(ClientId client)
{
    for (ProtocolMessage& message : m_protocol.messages)
        if (message.kind == Kind::request && message.client == client && !message.answered)
            message.lost = true;
}

// Finds the replies, up to the cursor, to requests whose replies lie after the examined events.
void ProtocolMaker::lookAhead()
{
    std::size_t open = 0;
    for (const ProtocolMessage& message : m_protocol.messages)
        open += message.kind == Kind::request && !message.answered ? 1 : 0;
    const std::size_t end = std::min(m_limit, m_protocol.last + kLookAhead);
    for (std::size_t index = m_protocol.last; index < end && open > 0; ++index) {
        ++m_protocol.visited;
        const Event& event = m_store.at(index);
        const auto* reply = std::get_if<trace::Reply>(&event.what);
        const std::size_t request = reply ? requestRow(event.cause) : kNoRow;
        if (request == kNoRow || m_protocol.messages[request].answered)
            continue;
        answer(request, event.at, reply->outcome == trace::Outcome::unknown);
        --open;
    }
}

} // namespace lockscope::replay
