// Keeps track of the occupied areas of the protocol: labels, which nothing may cover, and arrows, which
// labels avoid where possible. Pure; any thread.
#pragma once

#include <QPointF>
#include <QRectF>

#include <cstddef>
#include <vector>

namespace lockscope::ui {

// A strip, possibly slanted: a label, or the shaft of an arrow.
struct ProtocolBand
{
    double left = 0, right = 0;
    double yLeft = 0, yRight = 0; // of its middle line
    double half = 0;              // of its height
    bool overlaps(const ProtocolBand& other) const;
    static ProtocolBand of(const QRectF& rect);
    static ProtocolBand of(QPointF from, QPointF to, double half);
};

class LabelPlacer
{
public:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    std::size_t write(const ProtocolBand& words); // returns the index of the label
    void move(std::size_t words, const ProtocolBand& to) { m_words[words] = to; }
    void draw(const ProtocolBand& shaft) { m_shafts.push_back(shaft); }

    // These two check only the latest entries, near the bottom, where rows are added.
    bool overlapsText(const ProtocolBand& at, std::size_t except = kNone) const;
    bool overlapsShaft(const ProtocolBand& at) const;
    bool isFree(const ProtocolBand& at, bool besideShafts) const; // checks all entries

private:
    std::vector<ProtocolBand> m_words, m_shafts;
};

} // namespace lockscope::ui
