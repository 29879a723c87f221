// What the boxes below the chain say: whom they explain, and what the server has.
#include "ui/chain/chain_text.h"
#include "ui/chain/chain_view.h"
#include "ui/chain/explain.h"
#include "ui/chain/server_view.h"

#include <algorithm>

namespace lockscope::ui {

const replay::ClientRow* ChainView::explained() const
{
    const replay::RunState& state = m_model->state();
    if (m_selection->client().valid())
        return state.client(m_selection->client());
    // Nobody is selected: whoever is in front.
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
    const trace::TraceStore* store = m_model->store();
    const replay::ClientRow* client = explained();
    const QString name = client ? chain::ChainText::clientName(state, client->id) : QString();
    m_boxes.explainTitle = client ? tr("Explain · %1").arg(name) : tr("Explain");
    EventIndex event = client ? client->lastEvent : EventIndex::none();
    if (m_selection->event().valid() && m_selection->event().value < m_model->position())
        event = m_selection->event();
    if (store && event.valid() && event.value < store->count()) {
        const Explanation text = explain(state, store->at(event));
        m_boxes.what = text.what;
        m_boxes.why = text.why;
    } else {
        m_boxes.why = tr("Select a client to read what it does and why.");
    }
    if (client && std::find(state.cycle.begin(), state.cycle.end(), client->id) != state.cycle.end())
        m_boxes.why = chain::ChainText::cycleWhy(state);
    const chain::ServerView server =
        chain::ServerViewText::compare(state, m_selection->lock(), m_model->cursorTime());
    m_boxes.serverTitle = tr("Server's own view");
    m_boxes.nodes = server.nodes;
    m_boxes.verdict = server.verdict;
    m_boxes.agrees = server.differences.isEmpty();
}

} // namespace lockscope::ui
