// A TimelineCanvas's tools: the measured range, the match of a search, and the notes of bookmarks.
#include "ui/timeline/timeline_canvas.h"

#include "ui/models/style/format.h"
#include "ui/timeline/timeline_snap.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLineEdit>

#include <algorithm>
#include <functional>
#include <utility>

namespace lockscope::ui {

namespace {

constexpr int kEditorWidth = 220;              // at least
constexpr int kHintRoom = 8;                   // around the placeholder text, besides the frame
constexpr std::size_t kCountedAtOnce = 20'000; // maximum events in the measured range
constexpr int kCountEvery = 100;               // milliseconds

// Return accepts the text, and so does losing the focus if it was changed; Escape discards it. Keys do not
// reach the timeline.
class BookmarkEdit : public QLineEdit
{
public:
    BookmarkEdit(QWidget* parent, std::function<void(bool keep)> end)
        : QLineEdit(parent)
        , m_end(std::move(end))
    {}

protected:
    void keyPressEvent(QKeyEvent* event) override
    {
        const int key = event->key();
        if (key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter)
            m_end(key != Qt::Key_Escape);
        else
            QLineEdit::keyPressEvent(event);
        event->accept();
    }
    void focusOutEvent(QFocusEvent* event) override
    {
        QLineEdit::focusOutEvent(event);
        if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason)
            m_end(isModified());
    }

private:
    std::function<void(bool)> m_end;
};

} // namespace

// The time of the nearest edge; with Alt or Shift, the exact time at this point.
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
    update();
    emit measureChanged();
    countMeasured();
}

// Counts immediately for few events; otherwise from the event loop, at a limited rate.
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
        m_statistics = stretchStatistics(m_run->timeline(), m_run->timeline().holders(), stretch->from,
                                         stretch->to, m_run->endTime());
    update();
    emit measureChanged();
}

QStringList TimelineCanvas::measuredLines() const
{
    const auto stretch = measured();
    const QStringList lines =
        stretch ? TimelineText::measuredLines(*stretch, m_statistics, m_names) : QStringList();
    return m_briefMeasure ? lines.mid(0, 1) : lines;
}

void TimelineCanvas::setBriefMeasure(bool brief)
{
    m_briefMeasure = brief;
    update();
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

void TimelineCanvas::measureShown()
{
    if (m_run->hasRun())
        setMeasure(Measure{m_window->begin(), std::min(m_window->end(), m_run->endTime()), false});
}

void TimelineCanvas::copyMeasured() const
{
    if (const auto stretch = measured())
        QGuiApplication::clipboard()->setText(
            TimelineText::measuredCopyText(*stretch, m_statistics, m_names));
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
    const auto known = std::ranges::find(all, at, &Bookmark::at);
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

void TimelineCanvas::endEditing(bool keep)
{
    if (!std::exchange(m_editing, false))
        return;
    const bool focused = m_editor->hasFocus();
    m_editor->hide();
    if (focused)
        setFocus(Qt::OtherFocusReason);
    if (keep)
        m_bookmarks->add(m_editedAt, m_editor->text());
}

void TimelineCanvas::showEditor(TraceTime at, const QString& text)
{
    endEditing(m_editor && m_editor->isModified());
    if (!m_editor) {
        m_editor = new BookmarkEdit(this, [this](bool keep) { endEditing(keep); });
        m_editor->setObjectName("noteEdit");
        m_editor->setMaxLength(Bookmark::kMaxLength);
    }
    m_editor->setFont(theme()->fonts().small);
    m_editor->setAccessibleName(tr("Bookmark note"));
    m_editor->setPlaceholderText(tr("Note at %1 s; press Enter to save").arg(format::timestamp(at)));
    m_editor->setText(text);
    m_editor->selectAll();
    m_editedAt = at;
    m_editing = true;
    const TimelineLayout& layout = picture().layout;
    const QFontMetrics metrics = m_editor->fontMetrics();
    // Qt's size hint has room for 17 letters.
    const int frame = m_editor->sizeHint().width() - 17 * metrics.horizontalAdvance('x');
    const int wide =
        std::max(kEditorWidth, metrics.horizontalAdvance(m_editor->placeholderText()) + frame + kHintRoom);
    const int x = std::clamp(m_picture.scale.pixelAt(at), layout.plot.left(),
                             std::max(layout.plot.left(), layout.plot.right() - wide));
    m_editor->setGeometry(x, layout.band.bottom() + 1, std::min(wide, room().width() - x),
                          m_editor->sizeHint().height());
    m_editor->show();
    m_editor->raise();
    m_editor->setFocus(Qt::OtherFocusReason);
}

} // namespace lockscope::ui
