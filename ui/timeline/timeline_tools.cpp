// Measuring, snapping, folding and bookmarks of the TimelineCanvas.
#include "ui/models/format.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_snap.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLineEdit>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kEditorWidth = 220; // at least
constexpr int kHintRoom = 8;      // around the hint, beside the frame
constexpr std::size_t kCountedAtOnce = 20'000; // events that are measured
constexpr int kCountEvery = 100;               // milliseconds

// Return takes the text, Escape and leaving it do not; keys of the timeline do not reach through.
class BookmarkEdit : public QLineEdit
{
public:
    using QLineEdit::QLineEdit;

protected:
    void keyPressEvent(QKeyEvent* event) override
    {
        if (event->key() == Qt::Key_Escape)
            leave();
        else
            QLineEdit::keyPressEvent(event);
        event->accept();
    }
    void focusOutEvent(QFocusEvent* event) override
    {
        QLineEdit::focusOutEvent(event);
        if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason)
            hide();
    }

private:
    void leave()
    {
        hide();
        parentWidget()->setFocus(Qt::OtherFocusReason);
    }
};

} // namespace

// The nearest edge, or exactly there with Alt or Shift.
TraceTime TimelineCanvas::snapped(QPoint at, Qt::KeyboardModifiers modifiers)
{
    const TraceTime there = std::max(TraceTime::zero(), picture().scale.timeAt(at.x()));
    if (modifiers & (Qt::AltModifier | Qt::ShiftModifier))
        return there;
    return nearestEdge(m_picture, m_bookmarks->all(), at).value_or(there);
}

std::optional<MeasuredStretch> TimelineCanvas::measured() const
{
    if (!m_measure || !m_run->store())
        return {};
    return measureStretch(m_run->timeline(), *m_run->store(), m_run->drained(), m_measure->from,
                          m_measure->withCursor ? m_run->cursorTime() : m_measure->to);
}

void TimelineCanvas::setMeasure(std::optional<Measure> measure)
{
    m_measure = measure;
    m_statistics = {};
    countMeasured();
    update();
    emit measureChanged();
}

// At once when there is little to count; else as soon as nothing else is to be done, at most so often.
void TimelineCanvas::countMeasured()
{
    const auto stretch = measured();
    if (!stretch)
        return m_statisticsNext.stop();
    if (stretch->events <= kCountedAtOnce)
        countMeasuredNow();
    else if (!m_statisticsNext.isActive())
        m_statisticsNext.start(kCountEvery);
}

void TimelineCanvas::countMeasuredNow()
{
    if (const auto stretch = measured())
        m_statistics =
            stretchStatistics(m_run->timeline(), m_holders, stretch->from, stretch->to, m_run->endTime());
    update();
}

QStringList TimelineCanvas::measuredLines() const
{
    const auto stretch = measured();
    return stretch ? TimelineText::measuredLines(*stretch, m_statistics, m_names) : QStringList();
}

void TimelineCanvas::measureFromCursor()
{
    if (!m_run->hasRun())
        return;
    const TraceTime cursor = m_run->cursorTime();
    if (m_measure && m_measure->withCursor)
        setMeasure(Measure{m_measure->from, cursor, false});
    else
        setMeasure(Measure{cursor, cursor, true});
}

void TimelineCanvas::endMeasuring() { setMeasure(std::nullopt); }

void TimelineCanvas::copyMeasured() const
{
    if (const auto stretch = measured())
        QGuiApplication::clipboard()->setText(TimelineText::measuredCopyText(*stretch, m_statistics, m_names));
}

void TimelineCanvas::zoomToSelection()
{
    const trace::TraceStore* store = m_run->store();
    const EventIndex event = m_selection->event();
    if (const auto stretch = measured(); stretch && stretch->length() > Duration::zero()) {
        zoomTo(stretch->from, stretch->to);
    } else if (store && event.valid() && event.value < m_run->drained()) {
        const trace::Event& selected = store->at(event);
        replay::Span span = m_run->timeline().spanAt(selected.client, selected.at);
        if (span.kind == replay::SpanKind::none)
            span = m_run->timeline().releaseAt(selected.client, selected.at);
        if (span.kind != replay::SpanKind::none)
            zoomTo(span.begin, span.end);
    } else {
        m_window->showAll();
    }
}

void TimelineCanvas::foldSelected()
{
    if (!m_selection->client().valid())
        return;
    LaneFilter filter = m_filter;
    if (!filter.folded.insert(m_selection->client()).second)
        filter.folded.erase(m_selection->client());
    setLaneFilter(filter);
}

void TimelineCanvas::setFound(EventIndex match)
{
    m_found = match;
    update();
}

void TimelineCanvas::editBookmarkAtCursor()
{
    if (!m_run->hasRun())
        return;
    const TraceTime at = m_run->cursorTime();
    const auto& all = m_bookmarks->all();
    const auto known = std::find_if(all.begin(), all.end(), [&](const Bookmark& note) { return note.at == at; });
    showEditor(at, known == all.end() ? QString() : known->text);
}

void TimelineCanvas::editBookmark(std::size_t index)
{
    if (index < m_bookmarks->all().size())
        showEditor(m_bookmarks->all()[index].at, m_bookmarks->all()[index].text);
}

void TimelineCanvas::goToBookmark(std::size_t index)
{
    if (index < m_bookmarks->all().size())
        m_run->seekTime(m_bookmarks->all()[index].at);
}

void TimelineCanvas::showEditor(TraceTime at, const QString& text)
{
    if (!m_editor) {
        m_editor = new BookmarkEdit(this);
        m_editor->setObjectName("noteEdit");
        m_editor->setMaxLength(Bookmark::kMaxLength);
        connect(m_editor, &QLineEdit::returnPressed, this, [this] {
            m_editor->hide();
            setFocus(Qt::OtherFocusReason);
            m_bookmarks->add(m_editedAt, m_editor->text());
        });
    }
    m_editor->setFont(theme()->fonts().small);
    m_editor->setAccessibleName(tr("Note of the bookmark"));
    m_editor->setPlaceholderText(tr("Note at %1 s, Enter keeps it").arg(format::timestamp(at)));
    m_editor->setText(text);
    m_editor->selectAll();
    m_editedAt = at;
    const TimelineLayout& layout = picture().layout;
    const QFontMetrics metrics = m_editor->fontMetrics();
    const int frame = m_editor->sizeHint().width() - 17 * metrics.horizontalAdvance('x'); // as Qt hints it
    const int wide =
        std::max(kEditorWidth, metrics.horizontalAdvance(m_editor->placeholderText()) + frame + kHintRoom);
    const int x = std::clamp(m_picture.scale.pixelAt(at), layout.plot.left(),
                             std::max(layout.plot.left(), layout.plot.right() - wide));
    m_editor->setGeometry(x, layout.band.bottom() + 1, std::min(wide, width() - x),
                          m_editor->sizeHint().height());
    m_editor->show();
    m_editor->raise();
    m_editor->setFocus(Qt::OtherFocusReason);
}

} // namespace lockscope::ui
