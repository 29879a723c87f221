#include "ui/protocol/protocol_row_layout.h"

#include "ui/models/style/format.h"
#include "ui/texts/protocol_text.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <optional>

namespace lockscope::ui {

using MessageKind = replay::ProtocolMessage::Kind;

namespace {

constexpr double kDefaultFall = 34; // pixels of a usual round trip
constexpr double kMinFall = 12;     // of an arrow
constexpr double kMinStep = 5;      // between two moments
constexpr double kServerStep = 15;  // before and after a box on the server's lane
constexpr double kFoldAt = 84;      // a longer quiet stretch is folded
constexpr double kFoldUnderWay = 2 * kFoldAt;
constexpr double kFoldHeight = 20, kFoldMargin = 11;
constexpr double kRowsTop = 18; // room above the first row
constexpr double kPush = 3;     // pixels of one try
constexpr int kTries = 80;
constexpr int kNearTries = 14;        // tries that also avoid arrows
constexpr double kShaft = 1;          // half of an arrow's line
constexpr double kMissing = 0.55;     // share of a lane that the arrow of a lost reply does not reach
constexpr double kMaxLabelAngle = 28; // degrees; a label on a steeper arrow stays level

// Scales differ by powers of two only, so that a picture that follows a run does not keep changing its scale.
double pixelsPerNs(Duration typical, double zoom)
{
    const double usual = typical > Duration::zero() ? static_cast<double>(typical.count()) : 1e6;
    return kDefaultFall / std::exp2(std::round(std::log2(usual))) * zoom;
}

constexpr double kBoxPad = 5, kBoxGap = 10;
constexpr double kLabelPad = 4;            // both sides
constexpr double kNearClient = 8;          // from a bar's room to a label
constexpr std::size_t kInstantsBeside = 4; // moments on each side that may be within a line's height
constexpr std::size_t kNoLane = static_cast<std::size_t>(-1);

// The first place at or closely below `y` that is clear of all labels and arrows.
template <class Words, class Arrows>
std::optional<double> roomNear(double y, Words&& overWords, Arrows&& overArrows)
{
    for (int i = 0; i <= kNearTries; ++i)
        if (const double at = y + i * kPush; !overWords(at) && !overArrows(at))
            return at;
    return {};
}

// The same; if there is none, the first place that is clear of all labels.
template <class Words, class Arrows>
std::optional<double> roomFrom(double y, Words&& overWords, Arrows&& overArrows)
{
    if (const auto near = roomNear(y, overWords, overArrows))
        return near;
    for (int i = 0; i <= kTries; ++i)
        if (const double at = y + i * kPush; !overWords(at))
            return at;
    return {};
}

void setLabel(ProtocolArrow& arrow, const ProtocolBand& band)
{
    arrow.labelAt.setY((band.yLeft + band.yRight) / 2);
    arrow.angle = std::atan2(band.yRight - band.yLeft, band.right - band.left) * 180 / M_PI;
}

} // namespace

ProtocolRowLayout::ProtocolRowLayout(const ProtocolInput& input, ProtocolPicture& picture)
    : m_input(input)
    , m_picture(picture)
    , m_pixelsPerNs(pixelsPerNs(picture.protocol.typicalLatency, input.zoom))
    , m_textHalf(QFontMetricsF(input.mono).height() / 2)
{}

// The moments of all arrows and boxes, in order. place() sets their heights.
std::vector<ProtocolRowLayout::Instant> ProtocolRowLayout::instants() const
{
    std::vector<Instant> all;
    for (std::size_t i = 0; i < m_picture.arrows.size(); ++i) {
        const replay::ProtocolMessage& m = m_picture.protocol.messages[m_picture.arrows[i].message];
        const bool up = m.kind == MessageKind::request;
        const TraceTime sent = up ? m.atClient : m.atServer;
        const TraceTime arrived = std::max(sent, up ? m.atServer : m.atClient);
        all.push_back({sent, m.event.value, Instant::What::sent, i});
        all.push_back({arrived, m.event.value, Instant::What::arrived, i});
    }
    for (std::size_t i = 0; i < m_picture.boxes.size(); ++i) {
        const replay::ProtocolNote& note = m_picture.protocol.notes[m_picture.boxes[i].note];
        all.push_back({note.at, note.event.value, Instant::What::note, i});
    }
    std::stable_sort(all.begin(), all.end(), [](const Instant& a, const Instant& b) {
        return a.at != b.at ? a.at < b.at : a.order < b.order;
    });
    return all;
}

void ProtocolRowLayout::place()
{
    for (std::size_t i = 0; i < m_picture.protocol.messages.size(); ++i)
        prepareArrow(i);
    noteCommits();
    for (std::size_t i = 0; i < m_picture.protocol.notes.size(); ++i)
        prepareBox(i);
    m_words.assign(m_picture.arrows.size(), LabelPlacer::kNone);
    m_y = m_picture.plot.top() + kRowsTop;
    const Instant* before = nullptr;
    const std::vector<Instant> all = instants();
    std::vector<TraceTime> moments;
    for (const Instant& instant : all)
        moments.push_back(instant.at);
    if (m_input.upToNow)
        moments.push_back(m_input.now);
    m_spans = ProtocolSpans(m_input, moments);
    for (std::size_t i = 0; i < all.size(); ++i)
        chooseWords(all, i);
    for (const Instant& instant : all) {
        if (before)
            advance(*before, instant, isServers(*before) || isServers(instant) ? kServerStep : kMinStep);
        if (instant.what == Instant::What::sent)
            placeSent(instant.item);
        else if (instant.what == Instant::What::arrived)
            placeArrived(instant.item);
        else
            placeNote(instant.item);
        m_picture.times.emplace_back(instant.at, m_y);
        before = &instant;
    }
    if (!before || !m_input.upToNow)
        return;
    // The time without events up to now is labeled, too. If it is short, it is a step of fixed size, so that
    // nothing creeps while time passes.
    if (pixels(m_input.timeline->running(before->at, m_input.now)) > kFoldAt)
        fold(before->at, m_input.now, true, true);
    else
        m_y += kMinStep;
    if (m_input.now > before->at)
        m_picture.times.emplace_back(m_input.now, m_y);
}

bool ProtocolRowLayout::isServers(const Instant& instant) const
{
    return instant.what == Instant::What::note && m_picture.boxes[instant.item].atServer;
}

// The time at the server between a request and its reply is an estimate: the middle of the round trip.
bool ProtocolRowLayout::isGuessed(const Instant& instant) const
{
    if (instant.what == Instant::What::note)
        return false;
    const bool up =
        m_picture.protocol.messages[m_picture.arrows[instant.item].message].kind == MessageKind::request;
    return up == (instant.what == Instant::What::arrived);
}

// A request under way is not folded like a quiet stretch, unless it takes very long.
void ProtocolRowLayout::advance(const Instant& from, const Instant& to, double least)
{
    const double length = pixels(to.at - from.at);
    const bool underWay = isGuessed(from) || isGuessed(to);
    if (length > (underWay ? kFoldUnderWay : kFoldAt))
        fold(from.at, to.at, false, !isGuessed(to));
    else
        m_y += std::max(least, std::min(length, kFoldAt));
}

void ProtocolRowLayout::fold(TraceTime from, TraceTime to, bool early, bool known)
{
    const QFontMetricsF metrics(m_input.small);
    ProtocolFold fold;
    // What would be too short to fold, and a pause that the times shown do not have room for, are left out.
    Duration quiet = m_input.timeline->running(from, to), pause = to - from - quiet;
    if (pixels(quiet) <= kMinStep)
        quiet = Duration::zero();
    else if (format::duration(quiet + pause) == format::duration(quiet))
        pause = Duration::zero();
    fold.text = early ? ProtocolText::foldUpToNow(quiet, pause) : ProtocolText::fold(quiet, pause, to, known);
    const double most = m_picture.plot.width() - 8;
    fold.text = metrics.elidedText(fold.text, Qt::ElideRight, most - 16);
    const double width = metrics.horizontalAdvance(fold.text) + 16;
    const double left = std::clamp(m_picture.columns.server - width / 2, 4.0, std::max(4.0, most - width));
    fold.pill = QRectF(left, m_y + kFoldMargin, width, kFoldHeight);
    for (int i = 0; i < kTries && m_room.overlapsText(ProtocolBand::of(fold.pill)); ++i)
        fold.pill.translate(0, kPush);
    // The band leaves the gutter to the bracket of a handoff.
    const double edge = m_picture.columns.left;
    fold.band = QRectF(edge, fold.pill.top(), m_picture.plot.right() - edge, kFoldHeight);
    m_room.write(ProtocolBand::of(fold.pill));
    m_room.draw(ProtocolBand::of(fold.band));
    m_y = fold.pill.bottom() + kFoldMargin;
    m_picture.folds.push_back(std::move(fold));
}

ProtocolBand ProtocolRowLayout::labelBand(const ProtocolArrow& arrow, double fromY, double toY) const
{
    const double dx = arrow.to.x() - arrow.from.x();
    const double slope = std::abs(dx) < 1 ? 0 : (toY - fromY) / dx;
    const double x = arrow.labelAt.x();
    const double line = fromY + slope * (x - arrow.from.x());
    const bool level = std::abs(slope) > std::tan(kMaxLabelAngle * M_PI / 180);
    const double half = arrow.labelWidth / 2;
    const double y = level ? line : line - m_textHalf - 1;
    const double rise = level ? 0 : slope * half;
    return {x - half, x + half, y - rise, y + rise, m_textHalf};
}

ProtocolBand ProtocolRowLayout::shaft(const ProtocolArrow& arrow, double toY) const
{
    const double shift = arrow.second ? ProtocolPicture::kPairShift : 0;
    return ProtocolBand::of(arrow.from + QPointF(0, shift / 2), {arrow.to.x(), toY + shift / 2},
                            kShaft + shift / 2);
}

// Shortens the label of a reply or a watch event, and keeps it beside its client. The tool tip has the full
// text.
void ProtocolRowLayout::shorten(ProtocolArrow& arrow, const QString& words) const
{
    const double ahead = m_picture.columns.isLeft(laneOf(arrow.client)) ? 1 : -1;
    const double before = arrow.labelWidth;
    const QFontMetricsF metrics(labelFont(arrow, m_input.small, m_input.mono));
    arrow.label = words;
    arrow.labelWidth = metrics.horizontalAdvance(words) + kLabelPad;
    arrow.labelAt.rx() -= ahead * (before - arrow.labelWidth) / 2;
}

// A request's label is near the beginning of its arrow. Its room is chosen here, for the flattest possible
// arrow.
void ProtocolRowLayout::placeSent(std::size_t index)
{
    ProtocolArrow& arrow = m_picture.arrows[index];
    const bool up = m_picture.protocol.messages[arrow.message].kind == MessageKind::request;
    if (up && !arrow.label.isEmpty()) {
        const auto label = [&](double y) { return labelBand(arrow, y, y + kMinFall); };
        m_y = roomFrom(
                  m_y, [&](double y) { return m_room.overlapsText(label(y)); },
                  [&](double y) { return m_room.overlapsShaft(label(y)); })
                  .value_or(m_y);
        m_words[index] = m_room.write(label(m_y));
    }
    arrow.from.setY(m_y);
    if (arrow.lost && !up)
        markLost(arrow);
}

void ProtocolRowLayout::placeArrived(std::size_t index)
{
    ProtocolArrow& arrow = m_picture.arrows[index];
    const replay::ProtocolMessage& message = m_picture.protocol.messages[arrow.message];
    if (arrow.lost && message.kind == MessageKind::reply)
        return; // this is the moment at which its client noticed the loss
    const double least = std::max(m_y, arrow.from.y() + kMinFall);
    const std::size_t own = m_words[index];
    const auto label = [&](double y) { return labelBand(arrow, arrow.from.y(), y); };
    const bool says = !arrow.label.isEmpty();
    const auto overWords = [&](double y) { return says && m_room.overlapsText(label(y), own); };
    const auto overArrows = [&](double y) {
        return (says && m_room.overlapsShaft(label(y))) || m_room.overlapsText(shaft(arrow, y), own);
    };
    const auto crossed = [&] {
        return !roomNear(least, overWords, [&](double y) { return m_room.overlapsShaft(label(y)); });
    };
    if (says && own == LabelPlacer::kNone && crossed())
        for (const QString& words : ProtocolText::label(*m_input.store, message).variants)
            if (words.size() < arrow.label.size() && crossed())
                shorten(arrow, words);
    const auto room = roomFrom(least, overWords, overArrows);
    if (says && !room) {
        // There is no room at any slope: only the tool tip has the text.
        arrow.label.clear();
        ++m_picture.droppedLabels;
    } else if (says) {
        if (own == LabelPlacer::kNone)
            m_room.write(label(*room));
        else
            m_room.move(own, label(*room));
        setLabel(arrow, label(*room));
    }
    m_y = room.value_or(least);
    arrow.to.setY(m_y);
    m_room.draw(shaft(arrow, m_y));
}

// A lost reply is drawn from the server to its cross; its label is between the cross and the client.
void ProtocolRowLayout::markLost(ProtocolArrow& arrow)
{
    const std::size_t lane = laneOf(arrow.client);
    const ProtocolColumns& columns = m_picture.columns;
    const double ahead = columns.isLeft(lane) ? 1 : -1;
    const QFontMetricsF metrics(labelFont(arrow, m_input.small, m_input.mono));
    arrow.label = ProtocolText::lost();
    arrow.labelWidth = metrics.horizontalAdvance(arrow.label) + 4;
    const double words = arrow.labelWidth + 2 * ProtocolColumns::kBarRoom;
    const double missing = std::max(words, kMissing * columns.step);
    arrow.to = {columns.x[lane] + ahead * missing, arrow.from.y() + kMinFall};
    arrow.labelAt = arrow.to - QPointF(ahead * (arrow.labelWidth / 2 + ProtocolColumns::kBarRoom), 0);
    const double half = arrow.labelWidth / 2;
    ProtocolBand band{arrow.labelAt.x() - half, arrow.labelAt.x() + half, arrow.labelAt.y(),
                      arrow.labelAt.y(), m_textHalf};
    for (int i = 0; i < kTries && m_room.overlapsText(band); ++i) {
        band.yLeft += kPush;
        band.yRight += kPush;
    }
    m_room.write(band);
    arrow.labelAt.setY(band.yLeft);
    arrow.to.setY(band.yLeft);
    m_y = std::max(m_y, band.yLeft + kMinStep);
}

void ProtocolRowLayout::placeNote(std::size_t index)
{
    ProtocolBox& box = m_picture.boxes[index];
    const auto bandAt = [&](double y) {
        QRectF rect = box.rect.adjusted(0, -1, 0, 1);
        rect.moveTop(y - rect.height() / 2);
        return ProtocolBand::of(rect);
    };
    for (int i = 0; i < kTries && m_room.overlapsText(bandAt(m_y)); ++i)
        m_y += kPush;
    m_room.write(bandAt(m_y));
    box.rect.moveTop(m_y - box.rect.height() / 2);
}

std::size_t ProtocolRowLayout::laneOf(ClientId client) const
{
    for (std::size_t i = 0; i < m_input.lanes.size(); ++i)
        if (m_input.lanes[i].client == client)
            return i;
    return kNoLane;
}

void ProtocolRowLayout::chooseWords(const std::vector<Instant>& all, std::size_t index)
{
    const Instant& instant = all[index];
    const TraceTime from = all[index - std::min(index, kInstantsBeside)].at;
    if (instant.what == Instant::What::note) {
        chooseWords(m_picture.boxes[instant.item], from,
                    all[std::min(index + kInstantsBeside, all.size() - 1)].at);
    } else if (instant.what == Instant::What::sent) {
        ProtocolArrow& arrow = m_picture.arrows[instant.item];
        const replay::ProtocolMessage& message = m_picture.protocol.messages[arrow.message];
        if (!arrow.lost || !arrow.reply)
            chooseLabel(arrow, from, std::max(message.atClient, message.atServer));
    }
}

// The free parts between the client's lane and the server's, separated by the lanes that have a bar then.
std::vector<ProtocolRowLayout::Stretch> ProtocolRowLayout::freeStretches(std::size_t lane, TraceTime from,
                                                                         TraceTime to) const
{
    const ProtocolColumns& columns = m_picture.columns;
    const double ahead = columns.isLeft(lane) ? 1 : -1;
    std::vector<Stretch> free;
    double begin = columns.x[lane] + ahead * ProtocolColumns::kBarRoom;
    const auto endBefore = [&](double x) {
        free.push_back({begin, std::max(0.0, ahead * (x - begin) - ProtocolColumns::kBarRoom)});
        begin = x + ahead * ProtocolColumns::kBarRoom;
    };
    for (std::size_t i = lane;
         columns.isLeft(lane) ? ++i < columns.x.size() && columns.isLeft(i) : i-- > 0 && !columns.isLeft(i);)
        if (m_spans.any(i, from, to))
            endBefore(columns.x[i]);
    endBefore(columns.server);
    return free;
}

// Chooses the longest text that fits a free place along the arrow, as near to its client as possible.
void ProtocolRowLayout::chooseLabel(ProtocolArrow& arrow, TraceTime from, TraceTime to) const
{
    const std::size_t lane = laneOf(arrow.client);
    const ProtocolColumns& columns = m_picture.columns;
    const double ahead = columns.isLeft(lane) ? 1 : -1;
    const double cell = columns.step - 2 * ProtocolColumns::kBarRoom;
    QStringList variants =
        ProtocolText::label(*m_input.store, m_picture.protocol.messages[arrow.message]).variants;
    if (arrow.reply && !arrow.latency.isEmpty() && !variants.isEmpty())
        variants.prepend(variants[0] + QStringLiteral(" · ") + arrow.latency);
    const QFontMetricsF metrics(labelFont(arrow, m_input.small, m_input.mono));
    const std::vector<Stretch> free = freeStretches(lane, from, to);
    const auto write = [&](const Stretch& where, const QString& text) {
        arrow.label = text;
        arrow.labelWidth = metrics.horizontalAdvance(text) + kLabelPad;
        // Replies and events are crowded where they leave the server; there is room for text where they
        // arrive.
        const double room = std::min(cell, where.length);
        const double middle =
            arrow.reply || arrow.watch ? std::min(room / 2, arrow.labelWidth / 2 + kNearClient) : room / 2;
        arrow.labelAt.setX(where.begin + ahead * std::max(arrow.labelWidth / 2, middle));
    };
    for (const QString& variant : variants)
        for (const Stretch& stretch : free)
            if (metrics.horizontalAdvance(variant) + kLabelPad <= stretch.length)
                return write(stretch, variant);
    const Stretch& widest = *std::ranges::max_element(free, {}, &Stretch::length);
    if (!variants.isEmpty())
        write(widest, metrics.elidedText(variants.back(), Qt::ElideRight, widest.length - kLabelPad));
}

void ProtocolRowLayout::prepareArrow(std::size_t message)
{
    const replay::ProtocolMessage& m = m_picture.protocol.messages[message];
    const std::size_t lane = laneOf(m.client);
    if (lane == kNoLane)
        return;
    const ProtocolColumns& columns = m_picture.columns;
    ProtocolArrow arrow;
    const double client = columns.x[lane];
    arrow.from.setX(m.kind == MessageKind::request ? client : columns.server);
    arrow.to.setX(m.kind == MessageKind::request ? columns.server : client);
    arrow.second = m.second.valid() && !m.lost;
    arrow.reply = m.kind == MessageKind::reply;
    arrow.lost = m.lost;
    arrow.watch = m.kind == MessageKind::watch;
    arrow.handoff = m.handoff || arrow.watch;
    arrow.open = m.kind == MessageKind::request && !m.answered;
    arrow.message = message;
    arrow.event = m.event;
    arrow.client = m.client;
    if (m.kind != MessageKind::request && m.latency != kForever && !m.lost)
        arrow.latency = format::duration(m.latency);
    arrow.tone = ProtocolText::label(*m_input.store, m).tone;
    m_picture.arrows.push_back(std::move(arrow));
}

// Adds a note where a handoff is decided: at the moment when the holder's node is deleted.
void ProtocolRowLayout::noteCommits()
{
    for (const ProtocolArrow& arrow : m_picture.arrows) {
        const replay::ProtocolMessage& m = m_picture.protocol.messages[arrow.message];
        const auto* request = std::get_if<trace::Request>(&m_input.store->at(m.event).what);
        if (m.handoff && request && request->op == Operation::remove)
            m_picture.protocol.notes.push_back(
                {.event = m.event, .client = m.client, .at = m.atServer, .atServer = true});
    }
}

void ProtocolRowLayout::prepareBox(std::size_t index)
{
    const replay::ProtocolNote& note = m_picture.protocol.notes[index];
    if (laneOf(note.client) == kNoLane)
        return;
    ProtocolBox box;
    box.tone = ProtocolText::note(*m_input.store, note).tone;
    box.note = index;
    box.event = note.second.valid() ? note.second : note.event;
    box.client = note.client;
    box.atServer = note.atServer;
    m_picture.boxes.push_back(std::move(box));
}

// The pixels from the lane, away from the server, to the first bar.
double ProtocolRowLayout::outerWidth(std::size_t lane, TraceTime from, TraceTime to) const
{
    const ProtocolColumns& columns = m_picture.columns;
    for (std::size_t i = lane; columns.isLeft(lane) ? i-- > 0 : ++i < columns.x.size();)
        if (m_spans.any(i, from, to))
            return std::abs(columns.x[i] - columns.x[lane]) - ProtocolColumns::kBarRoom;
    return columns.isLeft(lane) ? columns.x[lane] - columns.left : columns.edge - columns.x[lane];
}

void ProtocolRowLayout::chooseWords(ProtocolBox& box, TraceTime from, TraceTime to) const
{
    const std::size_t lane = laneOf(box.client);
    const ProtocolColumns& columns = m_picture.columns;
    const QStringList variants =
        ProtocolText::note(*m_input.store, m_picture.protocol.notes[box.note]).variants;
    const QFontMetricsF metrics(strongFont(m_input.small));
    const auto widthOf = [&](const QString& text) { return metrics.horizontalAdvance(text) + 2 * kBoxPad; };
    // The box is on the side away from the server, which has none of the lane's own arrows, unless even the
    // shortest text does not fit there.
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
                        : toRight    ? columns.x[lane] + kBoxGap
                                     : columns.x[lane] - kBoxGap - width;
    box.rect = QRectF(left, 0, width, metrics.height() + 5);
}

} // namespace lockscope::ui
