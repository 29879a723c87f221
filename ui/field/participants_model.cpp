#include "ui/field/participants_model.h"

#include "ui/field/watch_text.h"
#include "ui/models/format.h"

#include <algorithm>
#include <unordered_map>

namespace lockscope::ui {

void ParticipantsModel::assign(std::vector<field::Participant> participants, std::int64_t nowMs)
{
    m_nowMs = nowMs;
    const bool same = std::equal(participants.begin(), participants.end(), m_rows.begin(), m_rows.end(),
                                 [](const field::Participant& a, const field::Participant& b) {
                                     return a.node == b.node && a.parent == b.parent;
                                 });
    if (same) {
        m_rows = std::move(participants);
        nameRows();
        if (!m_rows.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    emit layoutAboutToBeChanged();
    const QModelIndexList kept = persistentIndexList();
    std::unordered_map<std::string, int> places; // by path
    if (!kept.isEmpty())
        for (std::size_t i = 0; i < participants.size(); ++i)
            places.emplace(participants[i].parent + '/' + participants[i].node, static_cast<int>(i));
    QModelIndexList moved;
    for (const QModelIndex& old : kept) {
        const auto place = places.find(participant(old.row()).parent + '/' + participant(old.row()).node);
        moved << (place == places.end() ? QModelIndex() : createIndex(place->second, old.column()));
    }
    m_rows = std::move(participants);
    nameRows();
    changePersistentIndexList(kept, moved);
    emit layoutChanged();
}

void ParticipantsModel::nameRows()
{
    m_names = {};
    for (const field::Participant& one : m_rows)
        m_names.add(whoText(one));
}

int ParticipantsModel::rowOf(std::string_view node) const
{
    const auto row = std::find_if(m_rows.begin(), m_rows.end(),
                                  [&](const field::Participant& one) { return one.node == node; });
    return row == m_rows.end() ? -1 : static_cast<int>(row - m_rows.begin());
}

int ParticipantsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}
int ParticipantsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString ParticipantsModel::text(const field::Participant& one, int column) const
{
    switch (column) {
    case State:
        return stateText(one);
    case Who:
        return whoText(one);
    case Address:
        return one.address.empty() ? QStringLiteral("–") : format::plain(one.address, 60);
    case Library:
        return libraryText(one);
    case Since:
        return sinceText(one, m_nowMs);
    case Silence:
        return silenceText(one);
    default:
        return {};
    }
}

QVariant ParticipantsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const field::Participant& one = participant(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(one, index.column());
    case kVariantsRole:
        return index.column() == Who ? m_names.variantsOf(whoText(one)) : QString();
    case Qt::TextAlignmentRole:
        return QVariant(index.column() == Since ? Qt::AlignRight | Qt::AlignVCenter
                                                : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ToolTipRole: {
        QStringList lines;
        for (const auto& [label, value] : participantFacts(one, m_nowMs))
            lines << tr("%1: %2").arg(label, value);
        return format::toolTip(lines.join(u'\n'));
    }
    default:
        return {};
    }
}

QVariant ParticipantsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(section == Since ? Qt::AlignRight | Qt::AlignVCenter
                                         : Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool tip = role == Qt::ToolTipRole;
    switch (section) {
    case State:
        return tip ? tr("By the rule of the library that made the node.")
                   : /*: table head: whether the participant holds the lock or waits */ tr("State");
    case Who:
        return tip ? tr("The name in its node's data, or else its address or session.")
                   : /*: table head: who holds the lock or waits */ tr("Participant");
    case Address:
        return tip ? tr("Where its session comes from, as a server reports (cons).")
                   : /*: table head: of the host that the session comes from */ tr("Address");
    case Library:
        return tip ? tr("The library whose naming scheme the node follows.")
                   : /*: table head: the software library of the program, such as Curator */ tr("Library");
    case Since:
        return tip ? tr("How long it has held or waited.")
                   : /*: table head: how long the participant has held or waited */ tr("Duration");
    case Silence:
        return tip ? tr("How long no server has heard from its session, compared with its timeout. Up to a "
                        "third "
                        "of it is normal.")
                   : /*: table head: how long no server has heard of the session */ tr("Silence");
    default:
        return {};
    }
}

} // namespace lockscope::ui

#include "moc_participants_model.cpp"
