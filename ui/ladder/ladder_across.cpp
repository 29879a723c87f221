// The places of arrows and boxes across the ladder, and the words that fit there: the part of LadderRowLayout that
// comes before the heights.
#include "ui/ladder/ladder_row_layout.h"
#include "ui/ladder/ladder_text.h"
#include "ui/models/format.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

using Kind = replay::LadderMessage::Kind;

namespace {

constexpr double kBoxPad = 5, kBoxGap = 10;
constexpr double kLabelPad = 4;            // both sides
constexpr double kNearClient = 8;          // from a bar's room to words
constexpr std::size_t kInstantsBeside = 4; // those as near as a line of text is high
constexpr std::size_t kNoLane = static_cast<std::size_t>(-1);

} // namespace

std::size_t LadderRowLayout::laneOf(ClientId client) const
{
    for (std::size_t i = 0; i < m_input.lanes.size(); ++i)
        if (m_input.lanes[i].client == client)
            return i;
    return kNoLane;
}

void LadderRowLayout::chooseWords(const std::vector<Instant>& all, std::size_t index)
{
    const Instant& instant = all[index];
    const TraceTime from = all[index - std::min(index, kInstantsBeside)].at;
    if (instant.what == Instant::What::note) {
        chooseWords(m_picture.boxes[instant.item], from,
                    all[std::min(index + kInstantsBeside, all.size() - 1)].at);
    } else if (instant.what == Instant::What::sent) {
        LadderArrow& arrow = m_picture.arrows[instant.item];
        const replay::LadderMessage& message = m_picture.ladder.messages[arrow.message];
        if (!arrow.lost || !arrow.reply)
            chooseLabel(arrow, from, std::max(message.atClient, message.atServer));
    }
}

// From the client's lane to the server's, without the lanes that have a bar then.
std::vector<LadderRowLayout::Stretch> LadderRowLayout::freeStretches(std::size_t lane, TraceTime from,
                                                           TraceTime to) const
{
    const LadderColumns& columns = m_picture.columns;
    const double ahead = columns.isLeft(lane) ? 1 : -1;
    std::vector<Stretch> free;
    double begin = columns.x[lane] + ahead * LadderColumns::kBarRoom;
    const auto endBefore = [&](double x) {
        free.push_back({begin, std::max(0.0, ahead * (x - begin) - LadderColumns::kBarRoom)});
        begin = x + ahead * LadderColumns::kBarRoom;
    };
    for (std::size_t i = lane;
         columns.isLeft(lane) ? ++i < columns.x.size() && columns.isLeft(i) : i-- > 0 && !columns.isLeft(i);)
        if (m_spans.any(i, from, to))
            endBefore(columns.x[i]);
    endBefore(columns.server);
    return free;
}

// The longest words that find a free place along the arrow, as near to its client as they can.
void LadderRowLayout::chooseLabel(LadderArrow& arrow, TraceTime from, TraceTime to) const
{
    const std::size_t lane = laneOf(arrow.client);
    const LadderColumns& columns = m_picture.columns;
    const double ahead = columns.isLeft(lane) ? 1 : -1;
    const double cell = columns.step - 2 * LadderColumns::kBarRoom;
    QStringList variants =
        LadderText::label(*m_input.store, m_picture.ladder.messages[arrow.message]).variants;
    if (arrow.reply && !arrow.latency.isEmpty() && !variants.isEmpty())
        variants.prepend(variants[0] + QStringLiteral(" · ") + arrow.latency);
    const QFontMetricsF metrics(labelFont(arrow, m_input.small, m_input.mono));
    const std::vector<Stretch> free = freeStretches(lane, from, to);
    const auto write = [&](const Stretch& where, const QString& text) {
        arrow.label = text;
        arrow.labelWidth = metrics.horizontalAdvance(text) + kLabelPad;
        // What comes from the server leaves it beside others: where it arrives it has room for words.
        const double room = std::min(cell, where.length);
        const double middle =
            arrow.reply || arrow.watch ? std::min(room / 2, arrow.labelWidth / 2 + kNearClient) : room / 2;
        arrow.labelAt.setX(where.begin + ahead * std::max(arrow.labelWidth / 2, middle));
    };
    for (const QString& variant : variants)
        for (const Stretch& stretch : free)
            if (metrics.horizontalAdvance(variant) + kLabelPad <= stretch.length)
                return write(stretch, variant);
    const Stretch& widest = *std::max_element(
        free.begin(), free.end(), [](const Stretch& a, const Stretch& b) { return a.length < b.length; });
    if (!variants.isEmpty())
        write(widest, metrics.elidedText(variants.back(), Qt::ElideRight, widest.length - kLabelPad));
}

void LadderRowLayout::prepareArrow(std::size_t message)
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
    arrow.tone = LadderText::label(*m_input.store, m).tone;
    m_picture.arrows.push_back(std::move(arrow));
}

// The moment at which a handoff is decided: the holder's node is gone.
void LadderRowLayout::noteCommits()
{
    for (const LadderArrow& arrow : m_picture.arrows) {
        const replay::LadderMessage& m = m_picture.ladder.messages[arrow.message];
        const auto* request = std::get_if<trace::Request>(&m_input.store->at(m.event).what);
        if (m.handoff && request && request->op == trace::Op::remove)
            m_picture.ladder.notes.push_back(
                {.event = m.event, .client = m.client, .at = m.atServer, .atServer = true});
    }
}

void LadderRowLayout::prepareBox(std::size_t index)
{
    const replay::LadderNote& note = m_picture.ladder.notes[index];
    const std::size_t lane = laneOf(note.client);
    if (lane == kNoLane)
        return;
    const LadderColumns& columns = m_picture.columns;
    LadderBox box;
    box.tone = LadderText::note(*m_input.store, note).tone;
    box.note = index;
    box.event = note.second.valid() ? note.second : note.event;
    box.client = note.client;
    box.atServer = note.atServer;
    box.lane = note.atServer ? columns.server : columns.x[lane];
    m_picture.boxes.push_back(std::move(box));
}

// Pixels from the lane away from the server that no bar is in.
double LadderRowLayout::outerWidth(std::size_t lane, TraceTime from, TraceTime to) const
{
    const LadderColumns& columns = m_picture.columns;
    for (std::size_t i = lane; columns.isLeft(lane) ? i-- > 0 : ++i < columns.x.size();)
        if (m_spans.any(i, from, to))
            return std::abs(columns.x[i] - columns.x[lane]) - LadderColumns::kBarRoom;
    return columns.isLeft(lane) ? columns.x[lane] - columns.left : columns.edge - columns.x[lane];
}

void LadderRowLayout::chooseWords(LadderBox& box, TraceTime from, TraceTime to) const
{
    const std::size_t lane = laneOf(box.client);
    const LadderColumns& columns = m_picture.columns;
    const QStringList variants = LadderText::note(*m_input.store, m_picture.ladder.notes[box.note]).variants;
    const QFontMetricsF metrics(strongFont(m_input.small));
    const auto widthOf = [&](const QString& text) { return metrics.horizontalAdvance(text) + 2 * kBoxPad; };
    // Away from the server, where none of its own arrows are, unless only the other side has room for the
    // words.
    const double inner = columns.step - 2 * kBoxGap;
    const double outer = outerWidth(lane, from, to) - kBoxGap;
    const bool outside = box.atServer || (!variants.isEmpty() && widthOf(variants.back()) <= outer);
    const double room = box.atServer ? columns.step : outside ? outer : inner;
    for (const QString& variant : variants) {
        box.text = variant;
        if (widthOf(variant) <= room)
            break;
    }
    box.text = metrics.elidedText(box.text, Qt::ElideRight, room - 2 * kBoxPad);
    const double width = widthOf(box.text);
    const bool toRight = columns.isLeft(lane) != outside;
    const double left = box.atServer ? columns.server - width / 2
                        : toRight    ? box.lane + kBoxGap
                                     : box.lane - kBoxGap - width;
    box.rect = QRectF(left, 0, width, metrics.height() + 5);
}

} // namespace lockscope::ui
