// Beliefs beside the server's word for one lock: what its own watch table says, or who owns the nodes while
// nobody has asked for the table; how many clients agree with what the observer session read, and every
// difference as a sentence. Pure.
#pragma once

#include "core/replay/run_state.h"

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
    QString nothing;      // instead of entries
    int compared = 0;     // clients that believe to have a node
    int agreeing = 0;
    QStringList differences; // empty when all agree
    QString verdict;         // one line: agreement, or the first difference
};

class ServerViewText
{
    Q_DECLARE_TR_FUNCTIONS(ServerViewText)
public:
    // As many entries as there is room for, then how many more.
    static QString line(const ServerView& view, const std::function<bool(const QString&)>& fits);
    static ServerView compare(const replay::RunState& state, LockId lock, TraceTime now);

private:
    static void readTable(ServerView& view, const replay::RunState& state, const replay::LockRow& lock);
    static void readOwners(ServerView& view, const replay::LockRow& lock);
    static void add(ServerView& view, replay::Text node, const QString& whose);
};

} // namespace lockscope::ui::chain
