#include "ui/timeline/timeline_legend.h"

#include "ui/models/style/palette.h"
#include "ui/texts/timeline_text.h"

#include <QCoreApplication>
#include <QFontMetrics>

#include <algorithm>

namespace lockscope::ui {

using replay::SpanKind;

namespace {

constexpr int kLeft = 12;
constexpr int kSample = 24;
constexpr int kToWords = 6;
constexpr int kToNext = 16;
constexpr int kDepthMargin = 4;
constexpr int kFlash = 14; // from the line of a mark to its text

struct LegendText
{
    Q_DECLARE_TR_FUNCTIONS(TimelineLegend)
};

class LegendBuilder
{
public:
    LegendBuilder(const TimelineInput& input, const TimelinePicture& picture)
        : m_metrics(input.small)
        , m_watchOnly(input.watchOnly)
        , m_herds(input.herds && !input.herds->empty())
        , m_picture(picture)
        , m_x(kLeft)
        , m_end(picture.layout.legend.right())
    {
        m_legend.layout.laneCount = 1;
        m_legend.layout.laneHeight = picture.layout.legend.height();
        m_legend.layout.plot = m_legend.layout.band = picture.layout.legend;
        m_legend.laneSmall = input.small;
        m_legend.laneNumber = strongFont(input.small);
    }

    std::shared_ptr<const TimelinePicture> build()
    {
        const int hold = m_legend.layout.holdHeight(), wait = m_legend.layout.waitHeight();
        // First what every run has, then what is on the screen now, and last what may be.
        //: a client's state: it has the lock
        addBar(SpanKind::holding, hold, LegendText::tr("holds"));
        //: a client's state
        addBar(SpanKind::waiting, wait, LegendText::tr("waits"));
        if (m_herds)
            addHerd(hold, LegendText::tr("a release that woke several clients, until one has the lock"));
        //: at an arrow: the lock passes from one client to the next
        addArrow(LegendText::tr("handoff"));
        if (shows(SpanKind::stale))
            addBar(SpanKind::stale, hold, LegendText::tr("stale belief"));
        if (shows(SpanKind::frozen))
            //: a client's state: it does not run, so it sends nothing
            addBar(SpanKind::frozen, hold, LegendText::tr("frozen"));
        if (shows(SpanKind::suspended))
            //: a client's state: it has no contact with the server
            addBar(SpanKind::suspended, hold, LegendText::tr("suspended"));
        if (!m_picture.pauses.empty())
            addPause(hold);
        if (!m_watchOnly && !m_picture.marks.empty())
            addMark(LegendText::tr("what-if or fault"));
        if (!m_watchOnly && !m_herds)
            addDepth(hold, LegendText::tr("entered again"));
        if (!m_watchOnly)
            //: a client's state: it deletes its node
            addBar(SpanKind::releasing, wait, LegendText::tr("releasing"));
        return std::make_shared<const TimelinePicture>(std::move(m_legend));
    }

private:
    bool shows(SpanKind overlay) const
    {
        return std::ranges::any_of(m_picture.overlays,
                                   [overlay](const TimelineBar& bar) { return bar.span.kind == overlay; });
    }
    // The sample's place; nullopt: there is no room for it and its text.
    std::optional<QRect> place(const QString& words, int height)
    {
        const int width = m_metrics.horizontalAdvance(words) + 2;
        if (m_full || m_x + kSample + kToWords + width > m_end) {
            m_full = true; // the most important entries come first
            return {};
        }
        const QRect sample = m_legend.layout.barIn(0, m_x, m_x + kSample, height);
        const QRect& row = m_legend.layout.plot;
        m_legend.notes.push_back(
            {QRect(m_x + kSample + kToWords, row.top(), width, row.height()), words, {}});
        m_x += kSample + kToWords + width + kToNext;
        return sample;
    }
    std::optional<QRect> addBar(SpanKind kind, int height, const QString& words)
    {
        const auto sample = place(words, height);
        replay::Span span;
        span.kind = kind;
        if (sample)
            (kind >= SpanKind::suspended ? m_legend.overlays : m_legend.bars)
                .push_back({*sample, span, ClientId::none(), 0});
        return sample;
    }
    void addDepth(int height, const QString& words)
    {
        const auto sample = addBar(SpanKind::holding, height, words);
        if (!sample)
            return;
        const QRect inside = sample->adjusted(kDepthMargin, 1, -kDepthMargin, -1);
        const int over = std::max(0, m_metrics.height() - inside.height() + 1) / 2;
        m_legend.depths.push_back({inside, 2, inside.adjusted(-kDepthMargin, -over, kDepthMargin, over), 2});
    }
    void addHerd(int height, const QString& words)
    {
        if (const auto sample = place(words, height))
            m_legend.herds.push_back(*sample);
    }
    void addPause(int height)
    {
        if (const auto sample = place(TimelineText::paused(), height))
            m_legend.pauses.push_back({*sample, {}, {}});
    }
    void addArrow(const QString& words)
    {
        if (const auto sample = place(words, m_legend.layout.holdHeight()))
            m_legend.arrows.push_back({QPointF(sample->left() + 3, sample->top()),
                                       QPointF(sample->right() - 2, sample->bottom() + 1), 0, true});
    }
    void addMark(const QString& words)
    {
        const auto sample = place(words, m_legend.layout.holdHeight());
        if (!sample)
            return;
        const QRect rect = m_legend.notes.back().rect;
        m_legend.notes.pop_back(); // the text of a mark is beside its flash
        m_legend.marks.push_back({rect.left() - kFlash, rect, words, {}});
    }

    TimelinePicture m_legend;
    QFontMetrics m_metrics;
    bool m_watchOnly, m_herds;
    const TimelinePicture& m_picture;
    int m_x, m_end;
    bool m_full = false;
};

} // namespace

std::shared_ptr<const TimelinePicture> buildLegend(const TimelineInput& input, const TimelinePicture& picture)
{
    return picture.layout.legend.isEmpty() ? nullptr : LegendBuilder(input, picture).build();
}

} // namespace lockscope::ui
