// The bars of the lanes: who holds, waits, is frozen or believes what is not so any more.
#include "ui/ladder/ladder_painter.h"

namespace lockscope::ui {

using replay::SpanKind;

void LadderPainter::drawBars(const LadderPicture& picture)
{
    for (const LadderBar& bar : picture.bars) {
        const double radius = bar.rect.width() / 4;
        m_painter.setPen(Qt::NoPen);
        switch (bar.span.kind) {
        case SpanKind::holding:
            m_painter.setBrush(m_palette.holds);
            m_painter.drawRoundedRect(bar.rect, radius, radius);
            break;
        case SpanKind::waiting:
            m_painter.setBrush(m_palette.waits);
            m_painter.drawRoundedRect(bar.rect, radius, radius);
            break;
        case SpanKind::releasing: // pale: the lock is given up, and only the answer is missing
            m_painter.setBrush(m_palette.releasing);
            m_painter.drawRoundedRect(bar.rect, radius, radius);
            break;
        case SpanKind::frozen:
            m_painter.setBrush(withAlpha(m_palette.frozenSoft, 190));
            m_painter.setPen(QPen(m_palette.frozen, 1.5, Qt::DashLine));
            m_painter.drawRoundedRect(bar.rect, radius, radius);
            break;
        default: {
            // Stale and suspended are hatched: the pattern says it without the colour.
            const bool stale = bar.span.kind == SpanKind::stale;
            const QColor ink = stale ? m_palette.stale : m_palette.textMuted;
            m_painter.setBrush(stale ? m_palette.staleSoft : m_palette.panel);
            m_painter.drawRect(bar.rect);
            m_painter.save();
            m_painter.setClipRect(bar.rect, Qt::IntersectClip);
            m_painter.setPen(QPen(ink, 1.5));
            const double width = bar.rect.width();
            for (double y = bar.rect.top() - width; y < bar.rect.bottom(); y += 6)
                m_painter.drawLine(QPointF(bar.rect.left(), y + width), QPointF(bar.rect.right(), y));
            m_painter.restore();
            m_painter.setBrush(Qt::NoBrush);
            m_painter.setPen(QPen(ink, 1));
            m_painter.drawRect(bar.rect);
        }
        }
    }
}

void LadderPainter::drawBarLabels(const LadderPicture& picture)
{
    m_painter.setFont(strongFont(m_fonts.small));
    for (const LadderBar& bar : picture.bars) {
        if (bar.label.isEmpty())
            continue;
        m_painter.setPen(bar.span.kind == SpanKind::holding     ? m_palette.holdsText
                         : bar.span.kind == SpanKind::releasing ? m_palette.holdsText
                         : bar.span.kind == SpanKind::waiting   ? m_palette.waitsText
                         : bar.span.kind == SpanKind::stale     ? m_palette.staleText
                         : bar.span.kind == SpanKind::frozen    ? m_palette.frozenText
                                                                : m_palette.textMuted);
        m_painter.drawText(bar.label, Qt::AlignCenter | Qt::TextSingleLine, bar.text);
    }
}

QColor LadderPainter::ink(const LadderArrow& arrow) const
{
    if (arrow.lost || arrow.tone == Tone::stale)
        return m_palette.stale;
    if (arrow.handoff)
        return m_palette.wake;
    return arrow.open ? m_palette.textFaint : m_palette.textMuted;
}

} // namespace lockscope::ui
