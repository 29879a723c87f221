#include "ui/tables/findings_view.h"

#include "ui/models/rows/findings_model.h"
#include "ui/models/run/go_to_event.h"
#include "ui/models/run/selection.h"
#include "ui/models/style/retranslate.h"
#include "ui/tables/drawing.h"
#include "ui/tables/finding_delegate.h"
#include "ui/texts/empty_state.h"

#include <QKeyEvent>
#include <QPaintEvent>

#include <utility>

namespace lockscope::ui {

FindingsView::FindingsView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent)
    : QListView(parent)
    , m_run(run)
    , m_selection(selection)
    , m_theme(theme)
    , m_model(new FindingsModel(run, this))
{
    //: name of a card for screen readers: the rules that were checked
    onRetranslate(this, [this] { setAccessibleName(tr("Findings")); });
    setFrameShape(QFrame::NoFrame);
    drawing::makeOpaque(*this);
    setResizeMode(Adjust);
    setWordWrap(true);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setEditTriggers(NoEditTriggers);
    setItemDelegate(new FindingDelegate(m_model, theme, this));
    setModel(m_model);
    connect(this, &QListView::clicked, this, &FindingsView::open);
    connect(run, &RunModel::stateChanged, this, &FindingsView::updateCaption);
    connect(run, &RunModel::stateChanged, this, &FindingsView::executeDelayedItemsLayout); // in this frame
    connect(run, &RunModel::runChanged, this, &FindingsView::updateCaption);
    theme->onChange(this, [this] { applyTheme(); });
    applyTheme();
}

void FindingsView::applyTheme()
{
    setPalette(m_theme->widgetPalette());
    updateCaption();
    scheduleDelayedItemsLayout();
    viewport()->update();
}

// QListView::dataChanged() would lay out all rows again. This does so only when a row, whose height is always
// current, no longer ends where the next one was last placed: its sentence has more or fewer lines.
void FindingsView::dataChanged(const QModelIndex& first, const QModelIndex& last, const QList<int>& roles)
{
    QAbstractItemView::dataChanged(first, last, roles);
    for (int row = first.row(); row <= last.row(); ++row) {
        const QRect rect = visualRect(m_model->index(row));
        const int next = row + 1 < m_model->rowCount() ? visualRect(m_model->index(row + 1)).top()
                                                       : contentsSize().height() - verticalOffset();
        if (rect.bottom() + 1 != next) {
            scheduleDelayedItemsLayout();
            return;
        }
    }
}

void FindingsView::updateCaption()
{
    const int violated = m_model->violatedCount();
    QString caption;
    if (violated > 0)
        caption = tr("%1 of %2 violated").arg(violated).arg(m_model->rowCount());
    else if (const int checked = m_model->checkedCount(); checked > 0)
        caption = tr("%1 checked, all hold").arg(checked);
    else if (m_run->hasRun())
        caption = tr("nothing checked yet");
    setCaption(caption);
}

void FindingsView::open(const QModelIndex& index)
{
    if (!index.isValid())
        return;
    const std::vector<replay::Violation>& violations = m_model->violations(index.row());
    if (violations.empty())
        return;
    // Goes to the last violation, which the sentence describes, and from a violation to the one before it.
    const auto standsAt = [this](const replay::Violation& one) {
        return m_run->position() == one.at.value + std::size_t{1} && m_selection->selectedEvent() == one.at;
    };
    auto found = violations.rbegin();
    if (violations.size() > 1 && standsAt(*found))
        ++found;
    const replay::Violation violation = *found; // a copy: going there changes the run's state
    goToEvent(*m_run, *m_selection, violation.at, violation.client);
}

void FindingsView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        open(currentIndex());
    else
        QListView::keyPressEvent(event);
}

void FindingsView::resizeEvent(QResizeEvent* event)
{
    scheduleDelayedItemsLayout(); // the sentences wrap again
    QListView::resizeEvent(event);
}

void FindingsView::paintEvent(QPaintEvent* event)
{
    drawing::drawBackground(*this, event->region(), *m_theme);
    QListView::paintEvent(event);
    drawing::fadeCutRows(*this, *m_theme);
    if (m_model->rowCount() == 0)
        drawing::drawEmptyText(*this, emptyStateText(*m_run), *m_theme);
}

} // namespace lockscope::ui

#include "moc_findings_view.cpp"
