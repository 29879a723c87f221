// A model whose columns are rows of a table: what heads each, what its tool tip says, and how it is aligned.
// The derived class has the cells only. GUI thread.
#pragma once

#include <QAbstractTableModel>
#include <QCoreApplication>

#include <span>

namespace lockscope::ui {

struct TableColumn
{
    const char* title;    // English, marked for translation in the context of the model's class
    const char* tip = ""; // the same
    bool right = false;   // numbers and times are aligned to the right
};

class ColumnsModel : public QAbstractTableModel
{
public:
    int columnCount(const QModelIndex& parent = {}) const final
    {
        return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
    }
    QVariant data(const QModelIndex& index, int role) const final
    {
        if (!index.isValid() || index.row() >= rowCount())
            return {};
        return role == Qt::TextAlignmentRole ? alignment(index.column())
                                             : cell(index.row(), index.column(), role);
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const final
    {
        if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
            return {};
        const TableColumn& column = m_columns[static_cast<std::size_t>(section)];
        if (role == Qt::TextAlignmentRole)
            return alignment(section);
        const char* text = role == Qt::DisplayRole ? column.title : role == Qt::ToolTipRole ? column.tip : "";
        return *text ? QCoreApplication::translate(metaObject()->className(), text) : QVariant();
    }

protected:
    explicit ColumnsModel(std::span<const TableColumn> columns, QObject* parent = nullptr)
        : QAbstractTableModel(parent)
        , m_columns(columns)
    {}
    virtual QVariant cell(int row, int column, int role) const = 0;

private:
    QVariant alignment(int column) const
    {
        return QVariant((m_columns[static_cast<std::size_t>(column)].right ? Qt::AlignRight : Qt::AlignLeft) |
                        Qt::AlignVCenter);
    }
    std::span<const TableColumn> m_columns;
};

} // namespace lockscope::ui
