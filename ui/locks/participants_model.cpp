#include "ui/locks/participants_model.h"

#include "ui/models/style/format.h"
#include "ui/texts/field_text.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace lockscope::ui {

namespace {
constexpr std::array<TableColumn, ParticipantsModel::ColumnCount> kParticipantsColumns{
    {//: table head: whether the participant holds the lock or waits
     {QT_TRANSLATE_NOOP("lockscope::ui::ParticipantsModel", "State"),
      QT_TRANSLATE_NOOP("lockscope::ui::ParticipantsModel",
                        "By the rule of the library that made the node.")},
     //: table head: who holds the lock or waits
     {QT_TRANSLATE_NOOP("lockscope::ui::ParticipantsModel", "Participant"),
      QT_TRANSLATE_NOOP("lockscope::ui::ParticipantsModel",
                        "The name in its node's data, or else its address or session.")},
     //: table head: of the host that the session comes from
     {QT_TRANSLATE_NOOP("lockscope::ui::ParticipantsModel", "Address"),
      QT_TRANSLATE_NOOP("lockscope::ui::ParticipantsModel",
                        "Where its session comes from, as a server reports (cons).")},
     //: table head: the software library of the program, such as Curator
     {QT_TRANSLATE_NOOP("lockscope::ui::ParticipantsModel", "Library"),
      QT_TRANSLATE_NOOP("lockscope::ui::ParticipantsModel",
                        "The library whose naming scheme the node follows.")},
     //: table head: how long the participant has held or waited
     {QT_TRANSLATE_NOOP("lockscope::ui::ParticipantsModel", "Duration"),
      QT_TRANSLATE_NOOP("lockscope::ui::ParticipantsModel", "How long it has held or waited."), true},
     //: table head: how long no server has heard of the session
     {QT_TRANSLATE_NOOP("lockscope::ui::ParticipantsModel", "Silence"),
      QT_TRANSLATE_NOOP("lockscope::ui::ParticipantsModel",
                        "How long no server has heard from its session, compared with its timeout. Up to a "
                        "third of it is normal.")}}};
} // namespace

ParticipantsModel::ParticipantsModel(QObject* parent)
    : ColumnsModel(kParticipantsColumns, parent)
{}

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

QVariant ParticipantsModel::cell(int row, int column, int role) const
{
    const field::Participant& one = participant(row);
    switch (role) {
    case Qt::DisplayRole:
        return text(one, column);
    case kVariantsRole:
        return column == Who ? m_names.variantsOf(whoText(one)) : QString();
    case Qt::ToolTipRole: {
        QStringList lines{whoText(one)}; // the column may have no room for all of it
        for (const auto& [label, value] : participantFacts(one, m_nowMs))
            lines << tr("%1: %2").arg(label, value);
        return format::toolTip(lines.join(u'\n'));
    }
    default:
        return {};
    }
}

} // namespace lockscope::ui

#include "moc_participants_model.cpp"
