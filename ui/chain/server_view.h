// Beliefs beside the server's word for one lock: how many clients agree with what the observer session read,
// and every difference as a sentence. Pure.
#pragma once

#include "core/replay/run_state.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

namespace lockscope::ui::chain {

struct ServerView
{
    QString nodes;    // "…0185 of 0x…a1 …": the first nodes and the sessions that own them
    int compared = 0; // clients that believe to have a node
    int agreeing = 0;
    QStringList differences; // empty when all agree
    QString verdict;         // one line: agreement, or the first difference
};

class ServerViewText
{
    Q_DECLARE_TR_FUNCTIONS(ServerViewText)
public:
    static ServerView compare(const replay::RunState& state, LockId lock, TraceTime now);
};

} // namespace lockscope::ui::chain
