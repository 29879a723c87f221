// Places the rows of the protocol from top to bottom: time runs down, quiet periods are folded, and later
// rows move down until no labels overlap. Pure; GUI thread, because it measures text.
#pragma once

#include "ui/protocol/label_placer.h"
#include "ui/protocol/protocol_picture.h"
#include "ui/protocol/protocol_spans.h"

namespace lockscope::ui {

class ProtocolRowLayout
{
public:
    ProtocolRowLayout(const ProtocolInput& input, ProtocolPicture& picture);
    void place();                          // fills arrows, boxes, folds and times of the picture
    LabelPlacer& room() { return m_room; } // for labels beside the rows
    const ProtocolSpans& spans() const { return m_spans; }

private:
    struct Instant
    {
        enum class What { sent, arrived, note };
        TraceTime at{};
        std::uint32_t order = 0;
        What what{};
        std::size_t item = 0;
    };
    struct Stretch
    {
        double begin = 0; // the end toward the client
        double length = 0;
    };
    std::vector<Instant> instants() const;
    std::size_t laneOf(ClientId client) const;
    void prepareArrow(std::size_t message);
    void noteCommits();
    void prepareBox(std::size_t note);
    // Chooses label variants; the label will be between the moments `from` and `to`.
    void chooseWords(const std::vector<Instant>& all, std::size_t instant);
    void chooseWords(ProtocolBox& box, TraceTime from, TraceTime to) const;
    void chooseLabel(ProtocolArrow& arrow, TraceTime from, TraceTime to) const;
    std::vector<Stretch> freeStretches(std::size_t lane, TraceTime from, TraceTime to) const;
    double outerWidth(std::size_t lane, TraceTime from, TraceTime to) const;
    bool isServers(const Instant& instant) const;
    bool isGuessed(const Instant& instant) const;
    void advance(const Instant& from, const Instant& to, double least);
    double pixels(Duration time) const { return static_cast<double>(time.count()) * m_pixelsPerNs; }
    void fold(TraceTime from, TraceTime to, bool early, bool known); // `known`: its end is not estimated
    void placeSent(std::size_t arrow);
    void placeArrived(std::size_t arrow);
    void placeNote(std::size_t box);
    void markLost(ProtocolArrow& arrow);
    ProtocolBand labelBand(const ProtocolArrow& arrow, double fromY, double toY) const;
    ProtocolBand shaft(const ProtocolArrow& arrow, double toY) const;
    void shorten(ProtocolArrow& arrow, const QString& words) const;

    const ProtocolInput& m_input;
    ProtocolPicture& m_picture;
    double m_pixelsPerNs = 0;
    double m_y = 0;
    double m_textHalf = 0;
    ProtocolSpans m_spans;
    LabelPlacer m_room;
    std::vector<std::size_t> m_words; // the label of each arrow, an index in m_room
};

} // namespace lockscope::ui
