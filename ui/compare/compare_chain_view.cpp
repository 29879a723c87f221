#include "ui/compare/compare_chain_view.h"

#include "ui/canvas/arrows.h"
#include "ui/canvas/canvas.h"
#include "ui/compare/compare_chain_layout.h"
#include "ui/models/format.h"
#include "ui/models/text_cache.h"
#include "ui/models/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kSide = 18;
constexpr int kTop = 12;
constexpr int kFoot = 30; // the sentence below
constexpr int kHead = 16; // the words above
constexpr int kMinNameSize = 8;
constexpr qreal kNameShare = 0.74; // of its circle
constexpr qreal kKeyArrow = 18;
constexpr qreal kKeyGap = 5;
constexpr int kKeySpacing = 14;

void drawWatch(QPainter& painter, const CompareArrow& arrow, qreal head, const QColor& colour, qreal width)
{
    const qreal most = QLineF(arrow.from, arrow.to).length();
    drawArrow(painter, arrow.from, arrow.to, QPen(colour, width), {std::min(head, most)});
}

// A wake-up runs from what went to who watched it.
CompareArrow reversed(const CompareArrow& arrow) { return {arrow.to, arrow.from, arrow.participant}; }

// Smaller where it would touch the circle, elided where that is not enough.
void drawName(QPainter& painter, const QRectF& box, const QString& name, const QColor& colour)
{
    QFont font = painter.font();
    while (font.pixelSize() > kMinNameSize &&
           QFontMetricsF(font).horizontalAdvance(name) > box.width() * kNameShare)
        font.setPixelSize(font.pixelSize() - 1);
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawText(box, Qt::AlignCenter,
                     painter.fontMetrics().elidedText(name, Qt::ElideRight, static_cast<int>(box.width())));
}

void drawDot(QPainter& painter, const QPointF& centre, qreal diameter, const ChainParticipant& participant,
             const Palette& palette, const Fonts& fonts)
{
    const qreal half = holderHalfSide(diameter);
    const QRectF box(centre.x() - half, centre.y() - half, 2 * half, 2 * half);
    const bool named = diameter >= kMinNamedDiameter;
    QFont font = fonts.small;
    font.setPixelSize(std::clamp(static_cast<int>(diameter * 0.36), 9, 15));
    painter.setFont(font);
    if (participant.holds) {
        const qreal corner = named ? 5 : 1.5;
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette.holds);
        painter.drawRoundedRect(box, corner, corner);
        if (named) {
            font.setWeight(QFont::DemiBold);
            painter.setFont(font);
            drawName(painter, box, participant.name, palette.onHolds);
        }
        return;
    }
    const QColor colour = palette.client(participant.colour);
    painter.setPen(QPen(colour, diameter >= 8 ? 1.8 : 1));
    painter.setBrush(named ? QBrush(palette.card) : QBrush(colour));
    painter.drawEllipse(centre, diameter / 2, diameter / 2);
    if (named) {
        drawName(painter, box, participant.name, palette.text);
    }
    if (participant.next) {
        const qreal radius = ringRadius(diameter);
        painter.setPen(QPen(palette.holds, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(centre, radius, radius);
    }
}

void drawHub(QPainter& painter, const QRectF& hub, const ChainMoment& moment, const Palette& palette,
             const Fonts& fonts, const QString& words)
{
    painter.setPen(QPen(moment.holder.isEmpty() ? palette.textFaint : palette.holds, 2));
    painter.setBrush(palette.card);
    painter.drawRoundedRect(hub, 9, 9);
    const QRectF upper(hub.left(), hub.top() + hub.height() * 0.1, hub.width(), hub.height() * 0.46);
    const QRectF lower(hub.left(), hub.top() + hub.height() * 0.52, hub.width(), hub.height() * 0.36);
    painter.setPen(palette.text);
    painter.setFont(fonts.title);
    painter.drawText(upper, Qt::AlignCenter, moment.watchedName);
    painter.setPen(palette.textMuted);
    painter.setFont(fonts.small);
    const QFontMetricsF metrics(fonts.small);
    painter.drawText(lower, Qt::AlignCenter, metrics.elidedText(words, Qt::ElideRight, hub.width() - 8));
}

} // namespace

CompareChainView::CompareChainView(Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    connect(theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void CompareChainView::show(const ChainMoment& moment)
{
    m_moment = moment;
    setAccessibleDescription(sentence());
    update();
    emit captionChanged();
}

QString CompareChainView::caption() const
{
    if (m_moment.participants.empty()) {
        return {};
    }
    const QString rule = m_moment.star ? watchesWords() : tr("each waiter watches one node ahead");
    if (m_moment.holder.isEmpty())
        return rule;
    const QString whole = m_moment.next.isEmpty() ? tr("%1 holds · %2") : tr("%1 releases · %2");
    return whole.arg(m_moment.holder, rule) + kVariantSeparator + rule;
}

QString CompareChainView::watchesWords() const
{
    const auto watches = static_cast<quint64>(std::count_if(
        m_moment.participants.begin(), m_moment.participants.end(),
        [](const ChainParticipant& participant) { return !participant.holds && participant.watches; }));
    return watches == 1 ? tr("1 watch on one node")
                        : tr("%1 watches on one node").arg(format::count(watches));
}

QString CompareChainView::sentence() const
{
    const auto woken = m_moment.woken;
    if (m_moment.participants.empty()) {
        return tr("no client holds or waits at this moment");
    }
    if (woken == 0) {
        return tr("no waiter is woken here");
    }
    const QString next = m_moment.next;
    if (woken == 1) {
        const QString words = tr("this release wakes exactly one of %1 waiters")
                                  .arg(format::count(std::max(m_moment.waiting, woken)));
        return next.isEmpty() ? words : tr("%1: %2 gets the lock").arg(words, next);
    }
    const QString words = (woken == m_moment.waiting ? tr("this release wakes all %1 waiters")
                                                     : tr("this release wakes %1 waiters"))
                              .arg(format::count(woken));
    return next.isEmpty() ? tr("%1; only one can take the lock").arg(words)
                          : tr("%1: %2 gets the lock, the others wake in vain").arg(words, next);
}

// A line of words above the queue, where its circles have no room for names; empty for a star, whose middle
// says it.
QString CompareChainView::headWords() const
{
    if (m_moment.star || m_moment.holder.isEmpty()) {
        return {};
    }
    return m_moment.next.isEmpty() ? tr("%1 holds").arg(m_moment.holder)
                                   : tr("%1 releases, %2 is next").arg(m_moment.holder, m_moment.next);
}

QRectF CompareChainView::drawing() const
{
    const QRectF whole = QRectF(rect()).adjusted(kSide, kTop, -kSide, -kFoot);
    return headWords().isEmpty() || layoutCompareChain(m_moment, whole.size()).diameter >= kMinNamedDiameter
               ? whole
               : whole.adjusted(0, kHead, 0, 0);
}

void CompareChainView::paintEvent(QPaintEvent*)
{
    const Palette& palette = m_theme->palette();
    QPainter painter(this);
    painter.fillRect(rect(), palette.card);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = drawing();
    const CompareChainLayout layout = layoutCompareChain(m_moment, area.size());
    painter.save();
    painter.translate(area.topLeft());
    const qreal head = std::clamp(layout.diameter * 0.5, 3.0, 9.0);
    for (const CompareArrow& arrow : layout.arrows) {
        const bool woken = m_moment.participants[arrow.participant].woken;
        const bool bold = woken && !m_moment.star;
        drawWatch(painter, woken ? reversed(arrow) : arrow, bold ? head * 1.35 : head,
                  woken ? palette.wake : palette.waits, bold ? 2 : 1.2);
    }
    for (const CompareDot& dot : layout.dots) {
        drawDot(painter, dot.centre, layout.diameter, m_moment.participants[dot.participant], palette,
                m_theme->fonts());
    }
    if (!layout.hub.isEmpty()) {
        const QString words = m_moment.holder.isEmpty() ? tr("not held")
                              : m_moment.next.isEmpty() ? tr("held by %1").arg(m_moment.holder)
                                                        : tr("%1 releases").arg(m_moment.holder);
        drawHub(painter, layout.hub, m_moment, palette, m_theme->fonts(), words);
    }
    painter.restore();
    if (area.top() > kTop) {
        painter.setFont(m_theme->fonts().small);
        painter.setPen(palette.text);
        const QRectF line(kSide, kTop - 4, area.width(), kHead);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(headWords(), Qt::ElideRight, qFloor(line.width())));
    }
    QRect foot(kSide, height() - kFoot, width() - 2 * kSide, kFoot - 4);
    painter.setFont(m_theme->fonts().text);
    const int words = painter.fontMetrics().horizontalAdvance(sentence());
    drawKeys(painter, foot.adjusted(words + kKeySpacing, 0, 0, 0));
    painter.setFont(m_theme->fonts().text);
    painter.setPen(m_moment.woken > 1    ? palette.staleText
                   : m_moment.woken == 1 ? palette.holdsText
                                         : palette.textMuted);
    painter.drawText(foot, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(sentence(), Qt::ElideRight, foot.width()));
}

// What the arrows mean, at the right of the room beside the sentence, as far as they are there.
void CompareChainView::drawKeys(QPainter& painter, const QRect& room) const
{
    const Palette& palette = m_theme->palette();
    const auto drawn = [this](bool woken) {
        return std::any_of(m_moment.participants.begin(), m_moment.participants.end(),
                           [&](const ChainParticipant& participant) {
                               return !participant.holds && participant.woken == woken &&
                                      (m_moment.star ? participant.watches : participant.predecessor >= 0);
                           });
    };
    painter.setFont(m_theme->fonts().small);
    qreal right = room.right();
    const auto draw = [&](const QString& words, const QColor& colour) {
        const qreal wide = painter.fontMetrics().horizontalAdvance(words) + 1;
        const qreal left = right - wide - kKeyArrow - kKeyGap;
        if (left < room.left()) {
            return;
        }
        const qreal middle = QRectF(room).center().y();
        drawWatch(painter, {{left, middle}, {left + kKeyArrow, middle}, 0}, 6, colour, 1.2);
        painter.setPen(palette.textMuted);
        painter.drawText(QRectF(right - wide, room.top(), wide, room.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, words);
        right = left - kKeySpacing;
    };
    if (drawn(true)) {
        draw(tr("wakes"), palette.wake);
    }
    if (drawn(false)) {
        draw(tr("watches"), palette.waits);
    }
}

// Says who a circle is: the colours alone do not.
QString CompareChainView::tipAt(QPointF at) const
{
    const QRectF area = drawing();
    const CompareChainLayout layout = layoutCompareChain(m_moment, area.size());
    for (const CompareDot& dot : layout.dots) {
        if (QLineF(at - area.topLeft(), dot.centre).length() > layout.diameter / 2 + 2)
            continue;
        const ChainParticipant& participant = m_moment.participants[dot.participant];
        const QString words = participant.holds   ? tr("%1 holds the lock and is about to release it")
                              : participant.next  ? tr("%1 waits; it gets the lock next")
                              : participant.woken ? tr("%1 waits; this release wakes it")
                                                  : tr("%1 waits");
        return words.arg(participant.name);
    }
    return {};
}

bool CompareChainView::event(QEvent* event)
{
    return showToolTip(event, this, [this](QPoint at) { return tipAt(at); }) || QWidget::event(event);
}

} // namespace lockscope::ui
