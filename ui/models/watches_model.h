// Who watches which node, as the clients believe and as the server's own table has it: one row per watched
// node, those that differ first. Shows what the last table was compared with, and tells what has changed
// since: nodes that are gone come last, watches that are newer than the table say so. While nobody has asked
// the server, what the clients believe now. GUI thread.
#pragma once

#include "ui/models/rows_model.h"
#include "ui/models/run_model.h"
#include "ui/models/selection.h"
#include "ui/models/tone.h"

#include <QStringList>

#include <boost/container/small_vector.hpp>

namespace lockscope::ui {

struct WatchOfNode : replay::ComparedWatch
{
    bool later = false; // asked for after the table was read
    bool operator==(const WatchOfNode&) const = default;
};

struct WatchItem
{
    trace::Text node; // empty: the list of children itself
    // Of this node, on which there is one nearly always.
    boost::container::small_vector<WatchOfNode, 1> watches;
    replay::WatchVerdict verdict = replay::WatchVerdict::unknown; // the worst of them
    bool gone = false;                                            // the node, since the table was read
    bool later = false;                                           // all of them
    std::string_view key() const { return node; }
    bool operator==(const WatchItem&) const = default;
};

class WatchesModel : public RowsModel<QAbstractTableModel, WatchItem>
{
    Q_OBJECT
public:
    enum Column { Node, Believed, Served, Verdict, ColumnCount };
    WatchesModel(RunModel* run, Selection* selection, QObject* parent = nullptr);

    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    QString text(int row, int column) const;
    Tone tone(int row) const; // of its verdict
    // The whole truth about a row, line by line: every watch that differs.
    QString toolTip(int row) const;
    // What the selected client watches, else the selected node; -1 when there is no such row.
    int rowOf(const Selection& selection) const;
    ClientId firstClient(int row) const;  // that watches it
    QString caption() const;              // what was read and when, and how much differs
    QString emptyText() const;

private:
    void refresh() override;
    bool asked() const { return m_run->state().watchReading.answered > 0; }
    std::vector<WatchItem> items();
    replay::ComparedWatch unread(const replay::BelievedWatch& watch) const;
    void addRead(std::vector<WatchItem>& all, const replay::LockRow& lock) const;
    void addList(std::vector<WatchItem>& all) const;
    QString named(const replay::ComparedWatch& watch, bool since) const;
    QStringList names(int row, bool served) const;
    QString verdictText(const WatchItem& item) const;
    QString differenceText(const WatchItem& item, const replay::ComparedWatch& watch) const;
    RunModel* m_run;
    Selection* m_selection;
    LockId m_lock = LockId::none();
};

} // namespace lockscope::ui
