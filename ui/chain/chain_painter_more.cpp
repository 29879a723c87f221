// What says that there are more nodes than are seen.
#include "ui/chain/chain_painter.h"

#include <QLinearGradient>

#include <algorithm>

namespace lockscope::ui::chain {

// The queue goes on below: its last rows fade towards the edge.
void ChainPainter::fadeOut(const QRectF& strip)
{
    QLinearGradient away(strip.topLeft(), strip.bottomLeft());
    away.setColorAt(0, withAlpha(m_c.card, 0));
    away.setColorAt(0.8, m_c.card);
    m_p.fillRect(strip, away);
}

// How many more there are, what their squares mean as far as there is room, and who is chosen among them.
void ChainPainter::drawMore(const ChainScene& scene)
{
    if (scene.more.isEmpty() && scene.legend.empty())
        return;
    QFont bold = m_f.small;
    bold.setWeight(QFont::DemiBold);
    const QRectF line = scene.moreRect;
    const double between = 14 * m_u, side = 9 * m_u;
    const double named =
        scene.named.isEmpty() ? 0 : std::min(line.width() * 0.6, m_texts.width(bold, scene.named) + 2);
    drawLine(line.adjusted(line.width() - named, 0, 0, 0), scene.named, bold, m_c.text);
    const double end = line.right() - (named > 0 ? named + between : 0);
    QRectF room(line.left(), line.top(), end - line.left(), line.height());
    drawLine(room, scene.more, m_f.small, m_c.textMuted);
    room.setLeft(room.left() + m_texts.width(m_f.small, scene.more) + between);
    for (const LegendEntry& key : scene.legend) {
        const double words = m_texts.width(m_f.small, key.text);
        if (room.width() < side + 5 * m_u + words)
            break;
        ChainNode sample;
        sample.as = Scale::cells;
        sample.state = key.state;
        sample.frozen = key.frozen;
        sample.rect = {room.left(), room.center().y() - side / 2, side, side};
        m_cards.draw(sample);
        room.setLeft(room.left() + side + 5 * m_u);
        drawLine(room, key.text, m_f.small, m_c.textMuted);
        room.setLeft(room.left() + words + between);
    }
}

} // namespace lockscope::ui::chain
