// Compares the clients' beliefs about one lock with the server: with its watch table, or with the owners of
// the nodes while the table was not read. Counts agreements and describes every difference. Pure; any thread.
#pragma once

#include "core/replay/state/run_state.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include <functional>

namespace lockscope::ui::chain {

struct ServerView
{
    QString title;           // names the kind and the time of the entries
    QStringList entries;     // "…0185 ← bo": a watched node and its watcher, or a node and its owner
    std::size_t more = 0;    // the number of those not in `entries`
    std::size_t gone = 0;    // in the table, on nodes that were deleted since
    QString nothing;         // instead of entries
    std::size_t watches = 0; // in the table, or believed when it was read
    std::size_t watchesAgreeing = 0;
    int compared = 0; // clients that believe they have a node
    int agreeing = 0;
    QStringList differences; // empty when all agree
    std::size_t unnamed = 0; // further ones
    QString verdict;         // one line: agreement, or the differences
    bool agrees() const      // something was compared
    {
        return differences.isEmpty() && watchesAgreeing == watches && (watches > 0 || compared > 0);
    }
};

class ServerViewText
{
    Q_DECLARE_TR_FUNCTIONS(Texts)
public:
    using Fits = std::function<bool(const QString& line)>;
    // As many entries as fit into maxLines lines, then the number of the others.
    static QStringList lines(const ServerView& view, int maxLines, const Fits& fits);
    static ServerView compare(const replay::RunState& state, LockId lock, TraceTime now);

private:
    static void readTable(ServerView& view, const replay::RunState& state, const replay::LockRow& lock);
    static void readOwners(ServerView& view, const replay::LockRow& lock);
    static void compareNodes(ServerView& view, const replay::RunState& state, const replay::LockRow& lock,
                             TraceTime now);
    static QString verdict(const ServerView& view);
    template <class Whose> // makes the text of few of a thousand nodes
    static void add(ServerView& view, replay::Text node, Whose whose);
};

} // namespace lockscope::ui::chain
