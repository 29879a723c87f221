#include "ui/inspector/inspector_model.h"

#include "ui/models/style/format.h"
#include "ui/texts/inspection_builder.h"

#include <algorithm>

namespace lockscope::ui {

using Kind = Selected::Kind;

InspectorModel::InspectorModel(RunModel* run, Selection* selection, QObject* parent)
    : RowsModel(parent)
    , m_run(run)
    , m_selection(selection)
    , m_time(run, this)
{
    followRun(run);
    connect(&m_time, &ShownTime::moved, this, &InspectorModel::refresh);
    connect(selection, &Selection::changed, this, &InspectorModel::refresh);
    refresh();
}

void InspectorModel::setShown(bool shown)
{
    m_shown = shown;
    m_time.catchUp();
    refresh();
}

Inspection InspectorModel::inspect() const { return inspect(m_run->cursorTime()); }

Inspection InspectorModel::inspect(TraceTime now) const
{
    const InspectorSources from{&m_run->state(), &m_run->timeline(), m_run->store(), now, m_run->position()};
    return InspectionBuilder(from, m_selection->now()).make();
}

void InspectorModel::refresh()
{
    if (!m_shown)
        return;
    Inspection next = inspect(std::max(m_time.now(), m_run->state().now));
    assignRows(std::move(next.facts));
    next.facts.clear();
    const bool other = next.what != m_subject.what || next.title != m_subject.title ||
                       next.kind != m_subject.kind || next.colour != m_subject.colour;
    m_subject = std::move(next);
    if (other)
        emit subjectChanged();
}

int InspectorModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

bool InspectorModel::isLink(const QModelIndex& index) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return false;
    const Fact& fact = item(index.row());
    return index.column() == Event ? fact.event.valid() : index.column() == Value && fact.hasTarget();
}

QString InspectorModel::emptyText() const
{
    if (!m_run->hasRun() || m_selection->now().kind == Kind::nothing)
        return tr("Click a client, a node, an arrow between two holds, or a line of the log: everything "
                  "that is known "
                  "about it appears here.");
    return m_selection->now().kind == Kind::event || m_selection->now().kind == Kind::handoff
               ? tr("The selected item is not in this run. Select another one.")
               : tr("The selected item does not exist at this moment. Go to another moment, or select "
                    "another "
                    "item.");
}

QVariant InspectorModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Fact& fact = item(index.row());
    const QString event = fact.event.valid() ? u'#' + format::eventNumber(fact.event) : QString();
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == Label ? fact.label : index.column() == Value ? fact.value : event;
    case Qt::AccessibleTextRole:
        if (fact.heading)
            return index.column() == Label ? QVariant(fact.label) : QVariant();
        if (index.column() == Event)
            return fact.event.valid() ? tr("go to event %1").arg(format::eventNumber(fact.event)) : QString();
        return index.column() == Label ? tr("%1: %2").arg(fact.label, fact.value) : fact.value;
    case Qt::ToolTipRole:
        if (index.column() == Value && fact.event.valid() && m_run->store() &&
            fact.event.value < m_run->store()->count())
            return format::toolTip(format::momentTip(m_run->store()->at(fact.event).at, m_run->wallZero()));
        return index.column() == Event && fact.event.valid()
                   ? QVariant(format::toolTip(
                         tr("Goes to event %1, in all views.").arg(format::eventNumber(fact.event))))
                   : QVariant();
    case Qt::TextAlignmentRole:
        return index.column() == Event ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                       : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    default:
        return {};
    }
}

} // namespace lockscope::ui

#include "moc_inspector_model.cpp"
