// The nodes of the chosen locks in the order of their queues, with the participant behind each. GUI thread.
#pragma once

#include <QAbstractTableModel>

#include "core/field/snapshot.h"
#include "ui/models/short_names.h"

#include <string_view>
#include <vector>

namespace lockscope::ui {

class ParticipantsModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { State, Who, Address, Library, Since, Silence, ColumnCount };

    static constexpr int kVariantsRole =
        Qt::UserRole; // a name with shorter variants behind kVariantSeparator

    using QAbstractTableModel::QAbstractTableModel;
    void assign(std::vector<field::Participant> participants, std::int64_t nowMs);
    const field::Participant& participant(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    int rowOf(std::string_view node) const; // -1: not found
    std::int64_t nowMs() const { return m_nowMs; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const field::Participant& one, int column) const;
    void nameRows();
    std::vector<field::Participant> m_rows;
    ShortNames m_names;
    std::int64_t m_nowMs = 0;
};

} // namespace lockscope::ui
