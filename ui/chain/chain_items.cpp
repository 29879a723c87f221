#include "ui/chain/chain_items.h"

#include "ui/models/style/format.h"
#include "ui/texts/chain_text.h"
#include "ui/texts/client_status.h"

namespace lockscope::ui::chain {

namespace {

struct ItemText // exists only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(ChainItems)
};

QString tipOf(const ChainNode& box, const ChainSource& source)
{
    const replay::LockRow* lock = source.state->lock(source.lock);
    if (!lock)
        return {};
    if (box.state == NodeState::parent)
        return ItemText::tr("%1\nAll waiters watch the list of its children, and each change wakes them all.")
            .arg(format::plain(lock->path));
    if (box.place >= 0)
        return ChainText::toolTip(*source.state, *lock, box.place, source.now);
    return box.state == NodeState::gone
               ? ItemText::tr("%1\ndeleted").arg(format::plain(box.node))
               : ItemText::tr("%1 · %2\nhas no node of its own: it watches the node that all waiters watch")
                     .arg(clientName(*source.state, box.owner), box.pill);
}

QString nameOf(const ChainNode& box, const replay::RunState& state)
{
    QStringList parts;
    if (box.owner.valid())
        parts << clientName(state, box.owner);
    if (box.state != NodeState::parent)
        parts << ChainText::pill(box.state, box.frozen, box.suspended);
    parts << format::plain(box.node);
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

QString nameOf(const Arrow& arrow, const ChainScene& scene, const replay::RunState& state)
{
    const auto endOf = [&](int index) {
        const ChainNode& box = scene.nodes[static_cast<std::size_t>(index)];
        return box.owner.valid() ? clientName(state, box.owner) : format::plain(box.node);
    };
    if (arrow.to < 0)
        return ItemText::tr("%1 watches a node outside of the queue").arg(endOf(arrow.from));
    return (arrow.kind == ArrowKind::wakes ? ItemText::tr("%1 wakes %2") : ItemText::tr("%1 watches %2"))
        .arg(endOf(arrow.from), endOf(arrow.to));
}

} // namespace

QString chainTip(const ChainScene& scene, const ChainSource& source, QPointF at, double scrolled)
{
    if (const StaleClient* stale = scene.staleAt(at))
        return stale->text;
    if (const Arrow* arrow = scene.markedArrowAt(at, scrolled))
        return arrow->tip;
    if (const ChainNode* box = scene.nodeAt(at, scrolled))
        return tipOf(*box, source);
    return scene.cycle.rect.contains(at) && !source.state->cycle.empty() ? ChainText::cycleWhy(*source.state)
                                                                         : QString();
}

std::vector<AccessibleItem> chainItems(const ChainScene& scene, const std::function<ChainSource()>& source,
                                       double scrolled, const ChainActions& actions)
{
    const replay::RunState& state = *source().state;
    std::vector<AccessibleItem> items;
    for (const ChainNode& box : scene.nodes) { // the functions copy it: the scene may have changed by then
        items.push_back({QAccessible::ListItem, box.rect.translated(0, -scrolled).toAlignedRect(),
                         nameOf(box, state), box.selected, [source, box] { return tipOf(box, source()); }});
        if (actions.selectNode)
            items.back().choose = [select = actions.selectNode, box] { select(box); };
    }
    for (const Arrow& arrow : scene.arrows) {
        if (arrow.from == arrow.to) // a bundle for all waiters; the line below it has their number
            continue;
        QRectF rect = QRectF(arrow.begin, arrow.end).normalized();
        if (!arrow.label.isEmpty()) // the item includes the label "watch"
            rect = rect.united(QRectF(arrow.labelAt, QSizeF(2, 2)).translated(-1, -1)).adjusted(0, -6, 0, 6);
        items.push_back({QAccessible::Graphic, rect.translated(0, -scrolled).toAlignedRect(),
                         nameOf(arrow, scene, state), false, [tip = arrow.tip] { return tip; }});
    }
    for (const StaleClient& stale : scene.stale) {
        items.push_back({QAccessible::ListItem, stale.rect.toAlignedRect(), stale.text});
        if (actions.selectClient)
            items.back().choose = [select = actions.selectClient, client = stale.client] { select(client); };
    }
    const auto addText = [&items](const QRectF& rect, const QString& text) {
        if (!text.isEmpty())
            items.push_back({QAccessible::StaticText, rect.toAlignedRect(), text});
    };
    addText(scene.wake.textRect.translated(0, -scrolled), scene.wake.text);
    addText(scene.moreRect.translated(0, -scrolled), scene.more);
    addText(scene.emptyRect, scene.empty);
    addText(scene.cycle.rect, scene.cycle.title);
    addText(scene.outsideRect, scene.outside);
    return items;
}

} // namespace lockscope::ui::chain
