// The places of arrows and boxes across the ladder, and the words that fit there: the part of LadderRows that
// comes before the heights.
#include "ui/ladder/ladder_rows.h"
#include "ui/ladder/ladder_text.h"
#include "ui/models/format.h"

#include <QFontMetricsF>

#include <algorithm>

namespace lockscope::ui {

using Kind = replay::LadderMessage::Kind;

namespace {

constexpr double kBoxPad = 7, kBoxGap = 12;
constexpr double kCrossAt = 0.55; // of the way, where a lost reply ends
constexpr std::size_t kNoLane = static_cast<std::size_t>(-1);

} // namespace

std::size_t LadderRows::laneOf(ClientId client) const
{
    for (std::size_t i = 0; i < m_input.lanes.size(); ++i)
        if (m_input.lanes[i].client == client)
            return i;
    return kNoLane;
}

void LadderRows::chooseLabel(LadderArrow& arrow, const QStringList& variants, double room) const
{
    const QFontMetricsF metrics(labelFont(arrow, m_input.small, m_input.mono));
    for (const QString& variant : variants) {
        const double width = metrics.horizontalAdvance(variant);
        if (width > room && &variant != &variants.back())
            continue;
        arrow.label = width > room ? metrics.elidedText(variant, Qt::ElideRight, room) : variant;
        arrow.labelWidth = std::min(width, room) + 4;
        return;
    }
}

void LadderRows::prepareArrow(std::size_t message)
{
    const replay::LadderMessage& m = m_picture.ladder.messages[message];
    const std::size_t lane = laneOf(m.client);
    if (lane == kNoLane)
        return;
    const LadderColumns& columns = m_picture.columns;
    LadderArrow arrow;
    const double client = columns.x[lane];
    arrow.from.setX(m.kind == Kind::request ? client : columns.server);
    arrow.to.setX(m.kind == Kind::request ? columns.server : client);
    arrow.second = m.second.valid() && !m.lost;
    arrow.reply = m.kind == Kind::reply;
    arrow.lost = m.lost;
    arrow.watch = m.kind == Kind::watch;
    arrow.handoff = m.handoff || arrow.watch;
    arrow.open = m.kind == Kind::request && !m.answered;
    arrow.message = message;
    arrow.event = m.event;
    arrow.client = m.client;
    if (m.kind != Kind::request && m.latency != kForever && !m.lost)
        arrow.latency = format::duration(m.latency);
    const LadderWords said = LadderText::label(*m_input.store, m);
    arrow.tone = said.tone;
    arrow.labelAt.setX(columns.gapCentre(lane));
    // A lost reply says so behind its cross: between the cross and the client.
    if (arrow.lost && m.kind == Kind::reply)
        arrow.to.setX(arrow.from.x() + (arrow.to.x() - arrow.from.x()) * kCrossAt);
    else
        chooseLabel(arrow, said.variants, columns.gapRight(lane) - columns.gapLeft(lane) - 4);
    m_picture.arrows.push_back(std::move(arrow));
}

void LadderRows::prepareBox(std::size_t index)
{
    const replay::LadderNote& note = m_picture.ladder.notes[index];
    const std::size_t lane = laneOf(note.client);
    if (lane == kNoLane)
        return;
    const LadderWords said = LadderText::note(*m_input.store, note);
    const LadderColumns& columns = m_picture.columns;
    const QFontMetricsF metrics(strongFont(m_input.small));
    const auto widthOf = [&](const QString& text) { return metrics.horizontalAdvance(text) + 2 * kBoxPad; };
    LadderBox box;
    box.tone = said.tone;
    box.note = index;
    box.event = note.second.valid() ? note.second : note.event;
    box.client = note.client;
    box.filled = note.atServer;
    box.lane = note.atServer ? columns.server : columns.x[lane];
    const double inner = columns.step - 2 * kBoxGap;
    // Away from the server, where none of its own arrows are, unless only the other side has room for the
    // words.
    const double outer = columns.outerRoom(lane) - (kBoxGap - LadderColumns::kBarRoom);
    const bool outside =
        note.atServer || (!said.variants.isEmpty() && widthOf(said.variants.back()) <= outer);
    const double room = note.atServer ? columns.step : outside ? outer : inner;
    for (const QString& variant : said.variants) {
        box.text = variant;
        if (widthOf(variant) <= room)
            break;
    }
    box.text = metrics.elidedText(box.text, Qt::ElideRight, room - 2 * kBoxPad);
    const double width = widthOf(box.text);
    const bool toRight = columns.isLeft(lane) != outside;
    const double left = note.atServer ? columns.server - width / 2
                        : toRight     ? box.lane + kBoxGap
                                      : box.lane - kBoxGap - width;
    box.rect = QRectF(left, 0, width, metrics.height() + 5);
    m_picture.boxes.push_back(std::move(box));
}

} // namespace lockscope::ui
