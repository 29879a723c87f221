// Which client watches which node, by the clients' beliefs and by the server's watch table: one row per
// watched node, differences first. Shows the beliefs that the last table was compared with, and marks
// changes since then: deleted nodes come last, and newer watches are marked. Until the table is read, it
// shows the current beliefs. GUI thread.
#pragma once

#include "ui/models/rows/columns_model.h"
#include "ui/models/rows/rows_model.h"
#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"
#include "ui/models/style/tone.h"

#include <QStringList>

#include <boost/container/small_vector.hpp>

namespace lockscope::ui {

struct WatchOfNode : replay::ComparedWatch
{
    bool later = false; // requested after the table was read
    bool operator==(const WatchOfNode&) const = default;
};

struct WatchItem
{
    trace::Text node; // empty: the list of children itself
    // The watches of this node; nearly always one.
    boost::container::small_vector<WatchOfNode, 1> watches;
    replay::WatchVerdict verdict = replay::WatchVerdict::unknown; // the worst of them
    bool gone = false;                                            // the node, since the table was read
    bool later = false;                                           // all watches
    std::string_view key() const { return node; }
    bool operator==(const WatchItem&) const = default;
};

class WatchesModel : public RowsModel<ColumnsModel, WatchItem>
{
    Q_OBJECT
public:
    enum Column { Node, Believed, Served, Verdict, ColumnCount };
    WatchesModel(RunModel* run, Selection* selection, QObject* parent = nullptr);

    QString text(int row, int column) const { return textOf(item(row), column); }
    Tone tone(int row) const; // of its verdict
    // Every watch of the row that differs, a line each.
    QString toolTip(int row) const;
    // The row that the selected client watches, otherwise the selected node's; -1: none.
    int rowOf(const Selection& selection) const;
    ClientId firstClient(int row) const; // the first client that watches the node
    QString caption() const;             // what was read and when, and how much differs
    QString emptyText() const;

private:
    QString textOf(const WatchItem& it, int column) const;
    QVariant sortKey(const WatchItem& it, int column) const override;
    QVariant cell(int row, int column, int role) const override;
    void refresh() override;
    bool asked() const { return m_run->state().watchReading.answered > 0; }
    std::vector<WatchItem> items();
    replay::ComparedWatch unread(const replay::BelievedWatch& watch) const;
    void addRead(std::vector<WatchItem>& all, const replay::LockRow& lock) const;
    void addList(std::vector<WatchItem>& all) const;
    QString named(const replay::ComparedWatch& watch, bool since) const;
    QStringList names(const WatchItem& it, bool served) const;
    QString verdictText(const WatchItem& item) const;
    QString differenceText(const WatchItem& item, const replay::ComparedWatch& watch) const;
    RunModel* m_run;
    Selection* m_selection;
    LockId m_lock = LockId::none();
};

} // namespace lockscope::ui
