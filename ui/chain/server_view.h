// Beliefs beside the server's word for one lock: what its own watch table says, or who owns the nodes while
// nobody has asked for the table; how many agree, and every difference as a sentence. Pure.
#pragma once

#include "core/replay/state/run_state.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include <functional>

namespace lockscope::ui::chain {

struct ServerView
{
    QString title;        // what the entries are, and as of when
    QStringList entries;  // "…0185 ← bo": a watched node and who watches it; or a node and its owner
    std::size_t more = 0; // that are not in `entries`
    std::size_t gone = 0; // that were in the table, on nodes that are gone by now
    QString nothing;      // instead of entries
    std::size_t watches = 0; // in the table, or believed in when it was read
    std::size_t watchesAgreeing = 0;
    int compared = 0; // clients that believe to have a node
    int agreeing = 0;
    QStringList differences; // empty when all agree
    QString verdict;         // one line: agreement, or the first difference
    bool agrees() const { return differences.isEmpty() && watchesAgreeing == watches; }
};

class ServerViewText
{
    Q_DECLARE_TR_FUNCTIONS(ServerViewText)
public:
    using Fits = std::function<bool(const QString& line)>;
    // As many entries as there is room for in so many lines, then how many more.
    static QStringList lines(const ServerView& view, int most, const Fits& fits);
    static ServerView compare(const replay::RunState& state, LockId lock, TraceTime now);

private:
    static void readTable(ServerView& view, const replay::RunState& state, const replay::LockRow& lock);
    static void readOwners(ServerView& view, const replay::LockRow& lock);
    static void compareNodes(ServerView& view, const replay::RunState& state, const replay::LockRow& lock,
                             TraceTime now);
    static QString verdict(const ServerView& view);
    static void add(ServerView& view, replay::Text node, const QString& whose);
};

} // namespace lockscope::ui::chain
