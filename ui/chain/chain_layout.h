// Lays out the watch chain: state + size -> scene. Pure, no window, no font; cost is linear in the queue.
// The scale depends on how many clients contend and on the size, not on the queue of the moment, so that
// cards keep their places while clients come and go.
#pragma once

#include "ui/chain/chain_scene.h"

#include <QSizeF>

namespace lockscope::ui::chain {

struct ChainQuery
{
    const replay::RunState* state = nullptr; // not null
    LockId lock{0};
    TraceTime now{}; // times on the cards count up to here
    QSizeF viewport;
    double unit = 1.0; // 1 = text of 16 px line height
    ClientId selectedClient = ClientId::none();
    QString selectedNode;
    double wakeAge = -1; // of the last wake-up, 0 fresh .. 1 gone; outside = not drawn
    trace::WatchKind wakeKind = trace::WatchKind::nodeDeleted;
    int pointed = -1;    // the place in the queue that is under the mouse
    bool ghosts = false; // keep the place of the node that went until its successor holds
};

// Shows the wake-up of this age: it travels first, then it fades.
void beginWake(ChainScene& scene, double age);
ChainScene layOutChain(const ChainQuery& query);
void addCellLegend(ChainScene& scene);
// The card of one node of the queue.
ChainNode cardFor(const ChainQuery& query, const replay::LockRow& lock, std::size_t place, const QRectF& rect,
             Scale as);

} // namespace lockscope::ui::chain
