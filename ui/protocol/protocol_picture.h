// The geometry of the protocol, made from the rows of replay/protocol, the lanes and the size. The caller
// caches it; painting and hit testing only read it. Pure; GUI thread, because it measures text.
#pragma once

#include <QFont>
#include <QPointF>
#include <QRect>
#include <QSize>
#include <QString>

#include "core/replay/protocol/protocol.h"
#include "core/replay/timeline/timeline.h"
#include "ui/models/style/palette.h"
#include "ui/models/style/tone.h"
#include "ui/protocol/protocol_columns.h"

#include <optional>
#include <utility>
#include <vector>

namespace lockscope::ui {

struct ProtocolLane
{
    ClientId client;
    QString name; // plain, capped
    std::uint16_t colour = 0;
};

struct ProtocolHead
{
    QRectF rect;
    QString name;
    ClientId client = ClientId::none(); // none: the server
    std::uint16_t colour = 0;
    double x = 0;
};

struct ProtocolArrow
{
    QPointF from, to;    // a lost one ends at its cross
    bool second = false; // drawn twice, the second time kPairShift lower
    bool reply = false, lost = false, watch = false, handoff = false;
    bool chosen = false; // of the handoff that the bracket measures
    bool open = false;   // a request without a reply so far
    bool faded = false;  // does not match the log's filter
    QString label;       // empty: no room, or no text
    Tone tone = Tone::plain;
    QPointF labelAt; // its middle
    double labelWidth = 0;
    double angle = 0; // degrees
    QString latency;
    std::size_t message = 0; // index in Protocol::messages
    EventIndex event;
    ClientId client;
};

// Used for measuring and for drawing.
QFont labelFont(const ProtocolArrow& arrow, const QFont& small, const QFont& mono);

struct ProtocolBox
{
    QRectF rect;
    QString text;
    Tone tone = Tone::plain;
    bool atServer = false; // on the server's lane
    bool chosen = false;   // of the handoff that the bracket measures
    bool faded = false;    // does not match the log's filter
    std::size_t note = 0;
    EventIndex event;
    ClientId client;
};

struct ProtocolBar
{
    QRectF rect;
    replay::Span span;
    ClientId client;
    QRectF label; // empty: none
    QString text;
};

struct ProtocolFold
{
    QRectF band;
    QRectF pill;
    QString text;
};

struct ProtocolBracket
{
    struct Label
    {
        QRectF rect;
        QString text;
        double middle = 0; // y of its part
    };
    double x = 0;
    std::vector<double> ticks;  // y, in order
    std::vector<Label> labels;  // numbers, all in one unit
    Label unit;                 // above the numbers
    std::vector<double> breaks; // y of folds within a part
    replay::Handoff handoff;
};

struct ProtocolInput
{
    const trace::TraceStore* store = nullptr;
    const replay::Timeline* timeline = nullptr;
    replay::Protocol protocol;
    std::vector<ProtocolLane> lanes;
    QSize size;
    QFont text, small, mono;
    double zoom = 1;
    bool fromBottom = true; // the latest event is at the bottom; else the earliest at the top
    TraceTime now{};        // the cursor
    bool upToNow = true;    // the protocol ends at the cursor
    EventIndex selected = EventIndex::none();
    LockId lock = LockId::none();
};

struct ProtocolPicture
{
    static constexpr int kHeadTop = 8, kHeadHeight = 28;
    static constexpr double kPairShift = 6;

    replay::Protocol protocol;
    ProtocolColumns columns;
    QRectF plot; // below the heads
    std::vector<ProtocolHead> heads;
    std::vector<ProtocolBar> bars;
    std::vector<ProtocolFold> folds;
    std::vector<ProtocolArrow> arrows;
    std::vector<ProtocolBox> boxes;
    std::optional<ProtocolBracket> bracket;
    std::vector<std::pair<TraceTime, double>> times; // of every row, in order: time and y
    std::size_t droppedLabels = 0;                   // without room
    bool wholeEnd = false;                           // the last row is visible
    double foot = 0;                                 // where the lanes end

    double yAt(TraceTime time) const;
    std::vector<EventIndex> eventsInView() const; // from top to bottom
};

ProtocolPicture buildProtocolPicture(ProtocolInput input);
// The bounding box of an arrow's slanted label.
QRectF labelBounds(const ProtocolArrow& arrow, const QFont& mono);

struct ProtocolHit
{
    enum class What { nothing, head, arrow, box, bar, bracket };
    What what = What::nothing;
    std::size_t index = 0;
    bool operator==(const ProtocolHit&) const = default;
};
ProtocolHit hitProtocol(const ProtocolPicture& picture, QPointF at);

} // namespace lockscope::ui
