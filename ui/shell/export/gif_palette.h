// The colours of a picture for a format that has 256 at most: its own ones where these are enough. Otherwise those
// that most pixels have, and for the rest the means of boxes of similar ones, the widest box cut in two again and
// again. The same picture gives the same colours. Pure; any thread.
#pragma once

#include <QImage>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace lockscope::ui {

class GifPalette
{
public:
    // Of the pixels inside `place` that differ from `before`; of all of them when that is null. Both are
    // RGB32.
    GifPalette(const QImage& picture, const QImage& before, const QRect& place, std::size_t maxColours);

    const std::vector<QRgb>& colours() const { return m_colours; } // never none
    bool isExact() const { return m_isExact; }
    std::uint8_t index(QRgb colour) const { return m_index.at(colour); } // of one of the pixels

private:
    struct Counted
    {
        QRgb colour;
        std::uint64_t pixels;
    };
    static std::vector<Counted> countColours(const QImage& picture, const QImage& before, const QRect& place);
    void medianCut(std::vector<Counted> counted, std::size_t maxColours);
    void addBox(std::vector<Counted>::const_iterator first, std::vector<Counted>::const_iterator last);

    std::vector<QRgb> m_colours;
    std::unordered_map<QRgb, std::uint8_t> m_index;
    bool m_isExact = true;
};

} // namespace lockscope::ui
