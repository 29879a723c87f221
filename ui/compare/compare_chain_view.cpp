#include "ui/compare/compare_chain_view.h"

#include "ui/chain/chain_painter.h"
#include "ui/chain/chain_zoom.h"
#include "ui/models/style/format.h"
#include "ui/models/style/text_cache.h"

#include <algorithm>

namespace lockscope::ui {

CompareChainView::CompareChainView(Theme* theme, QWidget* parent)
    : Canvas(theme, parent)
{
    addPageCommands();
}

void CompareChainView::show(const ChainMoment& moment)
{
    m_moment = moment;
    showScroll({});
    setAccessibleDescription(sentence());
    setCaption(captionText());
    invalidate();
}

QString CompareChainView::captionText() const
{
    if (m_moment.waiting == 0 && m_moment.holderName.isEmpty())
        return {};
    const QString rule = m_moment.star ? watchesText() : tr("each waiter watches one node ahead");
    if (m_moment.holderName.isEmpty())
        return rule;
    const QString whole = m_moment.nextName.isEmpty() ? tr("%1 holds · %2") : tr("%1 releases · %2");
    return whole.arg(m_moment.holderName, rule) + kVariantSeparator + rule;
}

QString CompareChainView::watchesText() const
{
    return tr("%Ln watches on one node", nullptr, static_cast<int>(m_moment.watching));
}

QString CompareChainView::sentence() const
{
    const std::size_t woken = m_moment.woken.size();
    if (m_moment.waiting == 0 && m_moment.holderName.isEmpty())
        return tr("no client holds or waits at this moment");
    if (woken == 0)
        return tr("no waiter is woken here");
    const QString& next = m_moment.nextName;
    if (woken == 1) {
        const QString words =
            tr("this release wakes exactly one of %1 waiters").arg(format::count(m_moment.waiting));
        return next.isEmpty() ? words : tr("%1: %2 gets the lock").arg(words, next);
    }
    const QString words = (woken == m_moment.waiting ? tr("this release wakes all %1 waiters")
                                                     : tr("this release wakes %1 waiters"))
                              .arg(format::count(woken));
    return next.isEmpty() ? tr("%1; only one can take the lock").arg(words)
                          : tr("%1: %2 gets the lock, the others wake in vain").arg(words, next);
}

QColor CompareChainView::sentenceColour() const
{
    const Palette& palette = theme()->palette();
    return m_moment.woken.size() > 1    ? palette.staleText
           : m_moment.woken.size() == 1 ? palette.holdsText
                                        : palette.textMuted;
}

const chain::ChainScene& CompareChainView::scene()
{
    if (!isStale())
        return m_scene;
    chain::ChainQuery query;
    query.state = &m_moment.state;
    query.lock = m_moment.lock;
    query.now = m_moment.state.now;
    query.viewport = room().size();
    query.boxes = false;
    query.woken = &m_moment.woken;
    query.next = m_moment.next;
    query.unit = chain::unitOf(theme()->fonts());
    const double zoom = chain::zoomFor(query);
    m_unit = query.unit *= zoom;
    m_fonts = theme()->fonts().scaled(zoom);
    m_scene = chain::layOutChain(query);
    countBuild();
    const int page = static_cast<int>(m_scene.queueArea.height());
    const int hidden = m_scene.hiddenHeight();
    showScroll({std::min(scrolled(), hidden), hidden, page, page / 8});
    return m_scene;
}

void CompareChainView::draw(QPainter& painter, const QRegion&)
{
    const chain::ChainScene& shown = scene();
    chain::ChainPainter(painter, *theme(), m_fonts, m_unit).drawQueue(shown, scrolled());
}

QString CompareChainView::tipAt(QPointF at) { return chain::chainTip(scene(), source(), at, scrolled()); }

std::vector<AccessibleItem> CompareChainView::accessibleItems()
{
    return chain::chainItems(scene(), [this] { return source(); }, scrolled(), {});
}

} // namespace lockscope::ui

#include "moc_compare_chain_view.cpp"
