#include "ui/shell/export/gif_palette.h"

#include <algorithm>
#include <array>

namespace lockscope::ui {

namespace {

using Channel = int (*)(QRgb);
constexpr std::array<Channel, 3> kChannels{qRed, qGreen, qBlue};

} // namespace

GifPalette::GifPalette(const QImage& picture, const QImage& before, const QRect& place, std::size_t maxColours)
{
    std::vector<Counted> counted = countColours(picture, before, place);
    m_isExact = counted.size() <= maxColours;
    if (!m_isExact) {
        medianCut(std::move(counted), maxColours);
        return;
    }
    for (auto one = counted.cbegin(); one != counted.cend(); ++one)
        addBox(one, one + 1);
    if (m_colours.empty())
        m_colours.push_back(qRgb(0, 0, 0));
}

// In the order of the colours.
std::vector<GifPalette::Counted> GifPalette::countColours(const QImage& picture, const QImage& before,
                                                          const QRect& place)
{
    std::unordered_map<QRgb, std::uint64_t> found;
    for (int y = place.top(); y <= place.bottom(); ++y) {
        const auto* row = reinterpret_cast<const QRgb*>(picture.constScanLine(y));
        const auto* old = before.isNull() ? nullptr : reinterpret_cast<const QRgb*>(before.constScanLine(y));
        for (int x = place.left(), end = place.right() + 1; x < end;) {
            const int first = x; // pixels of one colour are counted together
            while (x < end && row[x] == row[first] &&
                   (!old || (old[x] == row[x]) == (old[first] == row[first])))
                ++x;
            if (!old || old[first] != row[first])
                found[row[first]] += static_cast<std::uint64_t>(x - first);
        }
    }
    std::vector<Counted> counted;
    counted.reserve(found.size());
    for (const auto& [colour, pixels] : found)
        counted.push_back({colour, pixels});
    std::sort(counted.begin(), counted.end(),
              [](const Counted& a, const Counted& b) { return a.colour < b.colour; });
    return counted;
}

// All colours of the box become their mean, weighted by pixels.
void GifPalette::addBox(std::vector<Counted>::const_iterator first,
                         std::vector<Counted>::const_iterator last)
{
    std::array<std::uint64_t, 3> sums{};
    std::uint64_t pixels = 0;
    for (auto one = first; one != last; ++one) {
        for (std::size_t c = 0; c < kChannels.size(); ++c)
            sums[c] += static_cast<std::uint64_t>(kChannels[c](one->colour)) * one->pixels;
        pixels += one->pixels;
        m_index.emplace(one->colour, static_cast<std::uint8_t>(m_colours.size()));
    }
    const auto mean = [&](std::size_t c) { return static_cast<int>((sums[c] + pixels / 2) / pixels); };
    m_colours.push_back(qRgb(mean(0), mean(1), mean(2)));
}

// The half that most pixels have stays as it is: these are the flat areas. The others are put together.
void GifPalette::medianCut(std::vector<Counted> counted, std::size_t maxColours)
{
    std::stable_sort(counted.begin(), counted.end(),
                     [](const Counted& a, const Counted& b) { return a.pixels > b.pixels; });
    const std::size_t kept = maxColours / 2;
    for (std::size_t i = 0; i < kept; ++i)
        addBox(counted.cbegin() + static_cast<std::ptrdiff_t>(i),
                counted.cbegin() + static_cast<std::ptrdiff_t>(i) + 1);
    struct Box
    {
        std::size_t first, last; // the last one is not in it
        std::size_t channel = 0; // in which it is widest
        int width = 0;
    };
    const auto boxOf = [&counted](std::size_t first, std::size_t last) {
        Box box{first, last};
        for (std::size_t c = 0; c < kChannels.size(); ++c) {
            const auto less = [c](const Counted& a, const Counted& b) {
                return kChannels[c](a.colour) < kChannels[c](b.colour);
            };
            const auto begin = counted.cbegin();
            const auto [low, high] = std::minmax_element(begin + static_cast<std::ptrdiff_t>(first),
                                                         begin + static_cast<std::ptrdiff_t>(last), less);
            if (const int width = kChannels[c](high->colour) - kChannels[c](low->colour); width > box.width) {
                box.channel = c;
                box.width = width;
            }
        }
        return box;
    };
    std::vector<Box> boxes{boxOf(kept, counted.size())};
    while (kept + boxes.size() < maxColours) {
        const auto widest = std::max_element(boxes.begin(), boxes.end(),
                                             [](const Box& a, const Box& b) { return a.width < b.width; });
        if (widest->width == 0)
            break;
        const Box box = *widest;
        const auto begin = counted.begin() + static_cast<std::ptrdiff_t>(box.first);
        const auto end = counted.begin() + static_cast<std::ptrdiff_t>(box.last);
        std::stable_sort(begin, end, [c = box.channel](const Counted& a, const Counted& b) {
            return kChannels[c](a.colour) < kChannels[c](b.colour);
        });
        const int half = kChannels[box.channel](begin->colour) + box.width / 2;
        const auto above = std::find_if(begin, end, [half, c = box.channel](const Counted& one) {
            return kChannels[c](one.colour) > half;
        });
        const auto middle = static_cast<std::size_t>(above - counted.begin());
        *widest = boxOf(box.first, middle);
        boxes.push_back(boxOf(middle, box.last));
    }
    for (const Box& box : boxes)
        addBox(counted.cbegin() + static_cast<std::ptrdiff_t>(box.first),
                counted.cbegin() + static_cast<std::ptrdiff_t>(box.last));
}

} // namespace lockscope::ui
