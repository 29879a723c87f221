#include "ui/timeline/timeline_holders.h"

#include "ui/models/style/text_cache.h"
#include "ui/texts/timeline_text.h"

#include <QFontMetrics>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kNamePad = 1;
constexpr int kLabelLeft = 12;
constexpr int kFewLetters = 4; // including the ellipsis: fewer identify no name

void addRows(const TimelineInput& input, TimelinePicture& picture)
{
    const TimelineLayout& layout = picture.layout;
    const QFontMetrics metrics(input.small);
    const int width = layout.plot.left() - kLabelLeft - 6;
    const std::vector<replay::LockHolders::Lock>& locks = input.holders->locks();
    for (const replay::LockHolders::Lock& lock : locks)
        for (std::size_t track = 0; track < std::max<std::size_t>(1, lock.tracks.size()); ++track) {
            const int row = static_cast<int>(picture.holderRows.size());
            if (row == layout.holderRows)
                return;
            TimelineHolderRow added{lock.id, track, layout.holderRow(row), {}};
            added.label.setLeft(kLabelLeft);
            added.label.setWidth(width);
            if (track == 0)
                added.name = TimelineText::holderRow(lock.path, locks.size() > 1);
            if (row + 1 == layout.holderRows)
                added.unseen = countHolderRows(*input.holders) - layout.holderRows;
            if (added.unseen > 0)
                added.name = TimelineText::moreHolderRows(added.name, added.unseen);
            added.name = metrics.elidedText(added.name, Qt::ElideMiddle, width);
            picture.holderRows.push_back(added);
        }
}

// A hold that only the client believes in does not count, even while it lasts.
TraceTime endOf(const TimelineInput& input, const replay::Span& span, ClientId client)
{
    if (span.end != kForever)
        return span.end;
    const replay::Span belief = input.timeline->spanAt(client, input.runEnd, replay::LaneRow::overlays);
    return belief.kind == replay::SpanKind::stale ? std::max(span.begin, belief.begin) : input.runEnd;
}

// The number of merged short holds has a background: the bar behind it is hatched.
void addCount(TimelineHolder& holder, const QRect& seen, const QFontMetrics& metrics)
{
    for (const QString& words : TimelineText::manyHolds(holder.bar.span.merged)) {
        const int width = metrics.horizontalAdvance(words) + 2 * kNamePad;
        if (width > seen.width())
            continue;
        holder.name = words;
        holder.label = QRect(seen.center().x() - width / 2, seen.top(), width, seen.height());
        return;
    }
}

void addBar(const TimelineInput& input, TimelinePicture& picture, const QFontMetrics& metrics, int row,
            const replay::Span& span)
{
    const ClientId client = span.merged == 1 ? input.store->at(span.beginEvent).client : ClientId::none();
    const auto [x0, x1] = barColumns(input, picture.scale, span.begin, endOf(input, span, client));
    const QRect place = picture.layout.holderRow(row).adjusted(0, 1, 0, -2);
    TimelineHolder holder{
        {QRect(x0, place.top(), std::max(x1 - x0, kMinBarWidth), place.height()), span, client}, row};
    if (client.valid())
        holder.colour = input.names->colour(client);
    // The name stays in sight as long as its bar is.
    const QRect seen = holder.bar.rect.adjusted(0, 0, -kHolderGap, 0).intersected(picture.layout.columns());
    const int room = seen.width() - 2 * kNamePad;
    const bool hasRoom = room >= 2 * metrics.averageCharWidth();
    if (hasRoom && client.valid()) {
        const QString names = input.names->variants(client);
        holder.name = metrics.elidedText(names, Qt::ElideRight, room);
        if (names.split(kVariantSeparator).contains(holder.name) || holder.name.size() >= kFewLetters)
            holder.label = seen.adjusted(kNamePad, 0, -kNamePad, 0);
    } else if (hasRoom) {
        addCount(holder, seen, metrics);
    }
    picture.holders.push_back(holder);
}

} // namespace

int countHolderRows(const replay::LockHolders& holders)
{
    std::size_t rows = 0;
    for (const replay::LockHolders::Lock& lock : holders.locks())
        rows += std::max<std::size_t>(1, lock.tracks.size());
    return static_cast<int>(rows);
}

void addHolders(const TimelineInput& input, TimelinePicture& picture)
{
    if (!input.holders || !input.store || picture.layout.holderRows == 0)
        return;
    addRows(input, picture);
    const QFontMetrics metrics(input.small);
    const TraceTime end = std::min(picture.scale.end(), input.runEnd + Duration(1));
    std::vector<replay::Span> spans;
    for (std::size_t row = 0; row < picture.holderRows.size(); ++row) {
        const TimelineHolderRow& shown = picture.holderRows[row];
        const replay::LockHolders::Lock& lock = input.holders->locks()[shown.lock.value];
        if (shown.track >= lock.tracks.size())
            continue;
        spans.clear();
        replay::LockHolders::condense(lock.tracks[shown.track], picture.scale.begin(), end,
                                      picture.scale.resolution() * kMinBarWidth, spans);
        picture.queriedSpans += spans.size();
        for (const replay::Span& span : spans)
            addBar(input, picture, metrics, static_cast<int>(row), span);
    }
}

} // namespace lockscope::ui
