// Explains what a client does at present, why, and what comes next, by the recipe of its lock. Pure.
#pragma once

#include "ui/models/run/lock_role.h"
#include "ui/models/style/format.h"
#include "ui/texts/event_text.h"

#include <QCoreApplication>

#include <cstddef>

namespace lockscope::ui {

// Whether the client sleeps, holds, thinks or is done, and so stays in this state until something new
// happens. A client that is not settled is best described by its last event.
bool isSettled(const replay::ClientRow& client);

// `lock` is the lock that is shown, for a client that uses none.
Explanation explainClient(const replay::RunState& state, const replay::ClientRow& client, LockId lock,
                          TraceTime now);

class ClientExplainer
{
    Q_DECLARE_TR_FUNCTIONS(Texts)
public:
    ClientExplainer(const replay::RunState& state, const replay::ClientRow& client, LockId shown);
    Explanation all(TraceTime now) const;

private:
    Explanation plain() const;
    Explanation logged() const;
    Explanation holds() const;
    Explanation holdsBeside(const QString& why) const;
    QString release() const;
    QString asleepUntil() const;
    QString whenWoken() const;
    QString whose(replay::Text node) const;
    std::size_t holding(bool readers) const; // nodes of its lock
    QString since(TraceTime at) const { return format::moment(at); }

    const replay::RunState& m_state;
    const replay::ClientRow& m_client;
    LockId m_shown;
    const replay::LockRow* m_lock;
    LockRole m_role;
    bool m_reads = false;
    QString m_name, m_node;
};

} // namespace lockscope::ui
