#include "ui/timeline/timeline_flags.h"

#include <QFontMetrics>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kFlagWidth = 14;   // a flag without its words
constexpr int kApart = 4;        // flags closer than this are one
constexpr int kTimelineFlagsLabelReach = 320; // words may reach into view from a flag this far to the left

} // namespace

// A flag for each note in view; its words have the room up to the next flag.
void addFlags(const TimelineInput& input, TimelinePicture& picture)
{
    if (!input.notes)
        return;
    const QFontMetrics metrics(input.small);
    const QRect& row = picture.layout.flags;
    const auto first = std::partition_point(input.notes->begin(), input.notes->end(), [&](const Bookmark& note) {
        return note.at < picture.scale.timeAt(picture.scale.left - kTimelineFlagsLabelReach);
    });
    for (auto note = first; note != input.notes->end() && note->at < picture.scale.end(); ++note) {
        const int x = picture.scale.pixelAt(note->at);
        if (!picture.flags.empty()) {
            if (x - picture.flags.back().x < kApart)
                continue; // as one: zoom in to tell them apart
            if (picture.flags.back().rect.right() > x - 4)
                picture.flags.back().rect.setRight(x - 4);
        }
        const int width = note->text.isEmpty() ? 0 : metrics.horizontalAdvance(note->text) + 4;
        const QRect rect(x, row.top(), std::min(kFlagWidth + width, kTimelineFlagsLabelReach), row.height());
        picture.flags.push_back({x, rect, note->text, static_cast<std::size_t>(note - input.notes->begin())});
    }
    for (TimelineFlag& flag : picture.flags) {
        flag.rect.setRight(std::min(flag.rect.right(), row.right()));
        flag.text = flag.rect.width() > kFlagWidth + 12
                        ? metrics.elidedText(flag.text, Qt::ElideRight, flag.rect.width() - kFlagWidth)
                        : QString();
    }
    std::erase_if(picture.flags, [&](const TimelineFlag& flag) { return flag.rect.right() < row.left(); });
}

void addMatches(const TimelineInput& input, TimelinePicture& picture)
{
    if (!input.search || !input.search->active())
        return;
    const EventSearch& search = *input.search;
    for (std::size_t i = search.firstAt(picture.scale.begin()); i < search.count();) {
        const int x = picture.scale.pixelAt(search.timeOf(i));
        if (x >= picture.scale.right())
            return;
        if (picture.matches.empty() || picture.matches.back() < x)
            picture.matches.push_back(x);
        i = std::max(i + 1, search.firstAt(picture.scale.timeAt(x + 1)));
    }
}

} // namespace lockscope::ui
