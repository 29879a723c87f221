#include "ui/shell/export/gif_file.h"

#include "ui/shell/export/write_error.h"

#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <memory>
#include <unordered_map>
#include <utility>

namespace lockscope::ui {

namespace {

// The palette of a picture in a format that allows at most 256 colors: exactly the picture's colors if they
// fit. Otherwise the most frequent ones, and means of boxes of similar ones for the rest (median cut).
// Deterministic.
class GifPalette
{
public:
    // Covers the pixels inside `place` that differ from `before`, or all of them if `before` is null. Both
    // images are RGB32.
    GifPalette(const QImage& picture, const QImage& before, const QRect& place, std::size_t maxColours);

    const std::vector<QRgb>& colours() const { return m_colours; } // never empty
    bool isExact() const { return m_isExact; }
    std::uint8_t index(QRgb colour) const
    {
        return m_index.at(colour);
    } // the index for a color of the covered pixels

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

using Channel = int (*)(QRgb);
constexpr std::array<Channel, 3> kChannels{qRed, qGreen, qBlue};

constexpr std::size_t kMaxColours = 256;
constexpr int kMaxGifSize = 65'535; // width and height

int writeTo(GifFileType* gif, const GifByteType* bytes, int size)
{
    auto* file = static_cast<AtomicFile*>(gif->UserData);
    return file->add(reinterpret_cast<const char*>(bytes), size) ? size : 0;
}

GifPalette::GifPalette(const QImage& picture, const QImage& before, const QRect& place,
                       std::size_t maxColours)
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

// Sorted by color.
std::vector<GifPalette::Counted> GifPalette::countColours(const QImage& picture, const QImage& before,
                                                          const QRect& place)
{
    std::unordered_map<QRgb, std::uint64_t> found;
    for (int y = place.top(); y <= place.bottom(); ++y) {
        const auto* row = reinterpret_cast<const QRgb*>(picture.constScanLine(y));
        const auto* old = before.isNull() ? nullptr : reinterpret_cast<const QRgb*>(before.constScanLine(y));
        for (int x = place.left(), end = place.right() + 1; x < end;) {
            const int first = x; // runs of pixels of the same color are counted together
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

// Replaces all colors of the box by their mean, weighted by pixels.
void GifPalette::addBox(std::vector<Counted>::const_iterator first, std::vector<Counted>::const_iterator last)
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

// The most frequent colors, which are those of flat areas, keep half of the palette; the others share the
// rest.
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
        std::size_t first, last; // [first, last)
        std::size_t channel = 0; // the channel with the widest range
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

// The bounding rectangle of the pixels that differ.
QRect changedRect(const QImage& picture, const QImage& before)
{
    QRect place;
    for (int y = 0; y < picture.height(); ++y) {
        const auto* row = reinterpret_cast<const QRgb*>(picture.constScanLine(y));
        const auto* old = reinterpret_cast<const QRgb*>(before.constScanLine(y));
        const auto* end = row + picture.width();
        const auto first = std::mismatch(row, end, old).first;
        if (first == end)
            continue;
        auto last = end;
        while (*(last - 1) == old[last - 1 - row])
            --last;
        place |= QRect(static_cast<int>(first - row), y, static_cast<int>(last - first), 1);
    }
    return place;
}

bool anyUnchanged(const QImage& picture, const QImage& before, const QRect& place)
{
    for (int y = place.top(); y <= place.bottom(); ++y) {
        const auto* row = reinterpret_cast<const QRgb*>(picture.constScanLine(y));
        const auto* old = reinterpret_cast<const QRgb*>(before.constScanLine(y));
        for (int x = place.left(); x <= place.right(); ++x)
            if (row[x] == old[x])
                return true;
    }
    return false;
}

struct FreeMap
{
    void operator()(ColorMapObject* map) const { GifFreeMapObject(map); }
};

// The format requires a power of two of colors.
std::unique_ptr<ColorMapObject, FreeMap> mapOf(const std::vector<QRgb>& colours)
{
    int size = 2;
    while (size < static_cast<int>(colours.size()))
        size *= 2;
    std::array<GifColorType, kMaxColours> entries{};
    for (std::size_t i = 0; i < colours.size(); ++i)
        entries[i] = {static_cast<GifByteType>(qRed(colours[i])),
                      static_cast<GifByteType>(qGreen(colours[i])),
                      static_cast<GifByteType>(qBlue(colours[i]))};
    return std::unique_ptr<ColorMapObject, FreeMap>(GifMakeMapObject(size, entries.data()));
}

} // namespace

GifFile::GifFile(const QString& path, int perSecond)
    : m_file(path)
    , m_perSecond(std::clamp(perSecond, 1, kMaxPerSecond))
{}

GifFile::~GifFile()
{
    if (m_gif)
        EGifCloseFile(m_gif, nullptr);
}

Result<void> GifFile::add(const QImage& picture)
{
    const QImage next = picture.convertToFormat(QImage::Format_RGB32);
    const bool first = m_pictures == 0;
    if (first && !begin(next.size()))
        return failure();
    if (!first && next.size() != m_before.size())
        return Error{ErrorCode::badUsage, message("The view was resized while its pictures were being made."),
                     message("Do not resize the window until they are done.")};
    Frame frame = frameOf(next);
    frame.begin = startOf(m_pictures++);
    m_before = next;
    if (!first && frame.place.isEmpty())
        return {}; // the previous frame stays longer
    if (!first && !write(m_pending, frame.begin - m_pending.begin))
        return failure();
    m_pending = std::move(frame);
    return {};
}

Result<void> GifFile::finish()
{
    const bool whole = m_gif && write(m_pending, startOf(m_pictures) - m_pending.begin) && close();
    if (!whole || !m_file.commit())
        return failure();
    return {};
}

bool GifFile::begin(QSize size)
{
    if (size.isEmpty() || size.width() > kMaxGifSize || size.height() > kMaxGifSize || !m_file.open())
        return false;
    int error = 0;
    m_gif = EGifOpen(&m_file, writeTo, &error);
    if (!m_gif)
        return false;
    EGifSetGifVersion(m_gif, true);
    constexpr std::array<GifByteType, 3> kForEver{1, 0, 0};
    return EGifPutScreenDesc(m_gif, size.width(), size.height(), 8, 0, nullptr) == GIF_OK &&
           EGifPutExtensionLeader(m_gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(m_gif, 11, "NETSCAPE2.0") == GIF_OK &&
           EGifPutExtensionBlock(m_gif, static_cast<int>(kForEver.size()), kForEver.data()) == GIF_OK &&
           EGifPutExtensionTrailer(m_gif) == GIF_OK;
}

GifFile::Frame GifFile::frameOf(const QImage& picture) const
{
    Frame frame;
    frame.place = m_before.isNull() ? picture.rect() : changedRect(picture, m_before);
    QImage before = !m_before.isNull() && anyUnchanged(picture, m_before, frame.place) ? m_before : QImage();
    std::size_t maxColours = before.isNull() ? kMaxColours : kMaxColours - 1;
    GifPalette palette(picture, before, frame.place, maxColours);
    if (!before.isNull() && !palette.isExact()) {
        // Without a transparent index, one more color fits. If the palette is then exact, all pixels are
        // drawn.
        if (GifPalette whole(picture, {}, frame.place, kMaxColours); whole.isExact()) {
            palette = std::move(whole);
            before = {};
        }
    }
    frame.colours = palette.colours();
    if (!before.isNull()) {
        frame.clear = static_cast<int>(frame.colours.size());
        frame.colours.push_back(qRgb(0, 0, 0));
    }
    frame.pixels.reserve(static_cast<std::size_t>(frame.place.width()) *
                         static_cast<std::size_t>(frame.place.height()));
    for (int y = frame.place.top(); y <= frame.place.bottom(); ++y) {
        const auto* row = reinterpret_cast<const QRgb*>(picture.constScanLine(y));
        const auto* old = before.isNull() ? nullptr : reinterpret_cast<const QRgb*>(before.constScanLine(y));
        for (int x = frame.place.left(); x <= frame.place.right(); ++x)
            frame.pixels.push_back(old && old[x] == row[x] ? static_cast<std::uint8_t>(frame.clear)
                                                           : palette.index(row[x]));
    }
    return frame;
}

bool GifFile::writeControl(const Frame& frame, int hundredths)
{
    GraphicsControlBlock control{};
    control.DisposalMode = DISPOSE_DO_NOT;
    control.DelayTime = hundredths;
    control.TransparentColor = frame.clear >= 0 ? frame.clear : NO_TRANSPARENT_COLOR;
    std::array<GifByteType, 4> bytes{};
    EGifGCBToExtension(&control, bytes.data());
    return EGifPutExtension(m_gif, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(bytes.size()), bytes.data()) ==
           GIF_OK;
}

bool GifFile::write(const Frame& frame, int hundredths)
{
    const auto map = mapOf(frame.colours);
    const QRect& place = frame.place;
    if (!map || !writeControl(frame, std::min(hundredths, kMaxGifSize)) ||
        EGifPutImageDesc(m_gif, place.x(), place.y(), place.width(), place.height(), false, map.get()) !=
            GIF_OK)
        return false;
    std::vector<GifPixelType> row(
        static_cast<std::size_t>(place.width())); // not const, as the library requires
    for (auto at = frame.pixels.begin(); at != frame.pixels.end(); at += place.width()) {
        std::copy_n(at, place.width(), row.begin());
        if (EGifPutLine(m_gif, row.data(), place.width()) != GIF_OK)
            return false;
    }
    return true;
}

bool GifFile::close() { return EGifCloseFile(std::exchange(m_gif, nullptr), nullptr) == GIF_OK; }

Error GifFile::failure() const
{
    return writeError(message("The picture %1 cannot be written: %2.", m_file.path().toStdString(),
                              m_file.fault().toStdString()));
}

} // namespace lockscope::ui
