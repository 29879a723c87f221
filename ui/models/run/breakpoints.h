// The breakpoints of a run: before which steps which clients stop. Views show them and request changes; the
// run's controller executes the requests. GUI thread.
#pragma once

#include <QObject>

#include "core/base/ids.h"
#include "core/trace/event.h"

#include <map>
#include <set>

namespace lockscope::ui {

class Breakpoints : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    bool isAvailable() const { return m_available; } // a live run can be stopped
    void setAvailable(bool available);
    bool any() const { return !m_steps.empty(); }
    bool has(ClientId client, GateStep step) const;
    std::set<ClientId> at(GateStep step) const; // the clients with a breakpoint there
    // Requests that the breakpoint be set or cleared. Does nothing when it already is, or when breakpoints
    // are unavailable.
    void set(ClientId client, GateStep step, bool on);
    // Both drop breakpoints that the run no longer has, without a request.
    void remove(ClientId client);
    void clear();

signals:
    void changed();
    void changeRequested(lockscope::ClientId client, lockscope::GateStep step, bool on);

private:
    std::map<ClientId, std::set<GateStep>> m_steps; // no entry is empty
    bool m_available = false;
};

} // namespace lockscope::ui
