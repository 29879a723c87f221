// The breakpoints that were asked for in a run: before which steps which clients stop. Views show them and
// ask for more or fewer; whoever controls the run carries that out. GUI thread.
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

    bool possible() const { return m_available; } // the run can be stopped: it is live
    void setAvailable(bool possible);
    bool any() const { return !m_steps.empty(); }
    bool has(ClientId client, trace::GateStep step) const;
    std::set<ClientId> at(trace::GateStep step) const; // who has one there
    // Asks for it, or for its end; nothing while it is as wanted, or not possible.
    void set(ClientId client, trace::GateStep step, bool wanted);
    void forget(ClientId client); // they are gone with something else: nobody is asked
    void forgetAll();

signals:
    void changed();
    void wanted(lockscope::ClientId client, lockscope::trace::GateStep step, bool wanted);

private:
    std::map<ClientId, std::set<trace::GateStep>> m_steps; // of no client: none
    bool m_available = false;
};

} // namespace lockscope::ui
