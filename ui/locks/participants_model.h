// The nodes of the chosen locks in the order of their queues, with the participant behind each. GUI thread.
#pragma once

#include "core/field/snapshot.h"
#include "ui/models/rows/columns_model.h"
#include "ui/models/run/short_names.h"

#include <string_view>
#include <vector>

namespace lockscope::ui {

class ParticipantsModel : public ColumnsModel
{
    Q_OBJECT
public:
    enum Column { State, Who, Address, Library, Since, Silence, ColumnCount };

    static constexpr int kVariantsRole =
        Qt::UserRole; // a name with shorter variants behind kVariantSeparator

    explicit ParticipantsModel(QObject* parent = nullptr);
    void assign(std::vector<field::Participant> participants, std::int64_t nowMs);
    const field::Participant& participant(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    int rowOf(std::string_view node) const; // -1: not found
    std::int64_t nowMs() const { return m_nowMs; }

    int rowCount(const QModelIndex& parent = {}) const override;

private:
    QVariant cell(int row, int column, int role) const override;
    QString text(const field::Participant& one, int column) const;
    void nameRows();
    std::vector<field::Participant> m_rows;
    ShortNames m_names;
    std::int64_t m_nowMs = 0;
};

} // namespace lockscope::ui
