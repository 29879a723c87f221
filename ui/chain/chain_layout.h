// Lays out the watch chain: makes a scene from a state and a size. Pure, without window or font; linear in
// the queue's length. The scale depends on the number of contending clients and the size, not on the current
// queue, so that nodes keep their places while clients come and go.
#pragma once

#include "ui/chain/chain_scene.h"

#include <QSizeF>

#include <set>

namespace lockscope::ui::chain {

struct ChainQuery
{
    const replay::RunState* state = nullptr; // not null
    LockId lock{0};
    TraceTime now{}; // times on the boxes count up to here
    QSizeF viewport;
    double unit = 1.0; // 1 = text of 16 px line height
    ClientId selectedClient = ClientId::none();
    QString selectedNode;
    double wakeAge = -1; // of the last wake-up, 0 (new) to 1 (over); otherwise the wake-up is not drawn
    trace::WatchKind wakeKind = trace::WatchKind::deleted;
    int pointed = -1;    // the place in the queue under the mouse
    bool ghosts = false; // keep the place of a deleted node until its successor holds
    bool boxes = true;   // with room for the explanation and the server's view, where the view is high enough
    bool explainsNext =
        true; // texts predict the next client's step, if the queue is empty or one client is outside
    // The clients that the next release wakes: their arrows are drawn as its wake-ups.
    const std::set<ClientId>* woken = nullptr; // null: none
    ClientId next = ClientId::none();          // has the lock after that release

    bool wakes(ClientId client) const { return woken && woken->contains(client); }
};

// Shows the wake-up of this age: it travels, then fades.
void beginWake(ChainScene& scene, double age);
ChainScene layOutChain(const ChainQuery& query);
void addCellLegend(ChainScene& scene);
// Makes the scene's node for this place of the queue.
ChainNode nodeFor(const ChainQuery& query, const replay::LockRow& lock, std::size_t place, const QRectF& rect,
                  Scale as);

} // namespace lockscope::ui::chain
