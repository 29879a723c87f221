// What the boxes below the chain say: whom they explain, and what the server has.
#include "ui/chain/chain_text.h"
#include "ui/chain/chain_view.h"
#include "ui/chain/explain_present.h"
#include "ui/chain/next_step.h"
#include "ui/chain/server_view.h"
#include "ui/models/format.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

// The event that says best what the client does: the chosen one while it is the last one of its client, so
// that what it says is still so; the last one while it is on its way to something. None: its state says it
// better.
EventIndex explainedEvent(const RunModel& model, const Selection& selection, const replay::ClientRow* client)
{
    const EventIndex chosen = selection.event();
    const EventIndex last =
        selection.client().valid() || !chosen.valid()
            ? (client ? client->lastEvent : EventIndex::none())
            : EventIndex{static_cast<EventIndex::Value>(model.position()) - 1}; // an event of nobody
    const bool passed =
        model.store() && last.valid() && last.value < model.store()->count() && last.value < model.position();
    if (!passed)
        return EventIndex::none();
    const bool onItsWay = client && client->lastEvent == last && !isSettled(*client) && !client->heldAt;
    return last == chosen || onItsWay ? last : EventIndex::none();
}

} // namespace

const replay::ClientRow* ChainView::explained() const
{
    const replay::RunState& state = m_model->state();
    if (m_selection->client().valid())
        return state.client(m_selection->client());
    // Nobody is selected: whoever takes the next step, else whoever is in front.
    if (const replay::ClientRow* next = state.nextInTurn())
        return next;
    const replay::LockRow* lock = state.lock(m_selection->lock());
    if (!lock)
        return nullptr;
    for (const replay::NodeRow& node : lock->queue)
        if (node.owner.valid())
            return state.client(node.owner);
    return nullptr;
}

void ChainView::fillBoxes()
{
    m_boxesDirty = false;
    m_boxes = {};
    const replay::RunState& state = m_model->state();
    const replay::ClientRow* client = explained();
    const EventIndex event = explainedEvent(*m_model, *m_selection, client);
    const auto name = [&state](ClientId id) { return chain::ChainText::clientName(state, id); };
    Explanation text{{}, tr("Select a client to read what it does and why.")};
    m_boxes.explainTitle = client ? tr("Explain · %1").arg(name(client->id)) : tr("Explain");
    if (event.valid()) {
        const trace::Event& told = m_model->store()->at(event);
        const QString at = format::moment(told.at);
        text = explain(state, told);
        if (event == m_selection->event())
            m_boxes.explainTitle = told.client.valid() ? tr("Explain · %1 at %2").arg(name(told.client), at)
                                                       : tr("Explain · at %1").arg(at);
    } else if (client && client->heldAt) {
        text = explainNextStep(state, *client, *client->heldAt);
        if (const replay::ClientRow* next = state.nextInTurn(); next == client)
            m_boxes.explainTitle = tr("Explain · %1 is next in turn").arg(name(client->id));
        else
            text.why = tr("%1 Next in turn: %2.").arg(text.why, name(next->id));
    } else if (client) {
        text = explainClient(state, *client, m_selection->lock(), m_model->cursorTime());
    }
    m_boxes.what = text.what;
    m_boxes.why = text.why;
    if (client && std::find(state.cycle.begin(), state.cycle.end(), client->id) != state.cycle.end())
        m_boxes.why = chain::ChainText::cycleWhy(state);
    const chain::ServerView server =
        chain::ServerViewText::compare(state, m_selection->lock(), m_model->cursorTime());
    m_boxes.serverTitle = server.title.isEmpty() ? tr("Server's own view") : server.title;
    m_boxes.server = server;
}

} // namespace lockscope::ui
