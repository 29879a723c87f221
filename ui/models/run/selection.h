// The selection that all views share: they set it and listen to it. GUI thread.
#pragma once

#include <QObject>
#include <QString>

#include "core/base/ids.h"
#include "core/base/time.h"

namespace lockscope::ui {

// What was selected last, and what belongs to it. A handoff is identified by the Acquired event that ended
// it.
struct Selected
{
    enum class Kind { nothing, client, node, handoff, event };
    Kind kind = Kind::nothing;
    ClientId client = ClientId::none();
    QString node;   // child name; empty = none
    LockId lock{0}; // the lock shown; the first by default
    EventIndex event = EventIndex::none();

    bool operator==(const Selected&) const = default;
};

class Selection : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    const Selected& now() const { return m_now; }
    ClientId client() const { return m_now.client; }
    QString node() const { return m_now.node; }
    LockId lock() const { return m_now.lock; }
    EventIndex selectedEvent() const { return m_now.event; }

    // Selects a client and, if the caller knows it, its node.
    void selectClient(ClientId client, const QString& node = {}, EventIndex event = EventIndex::none());
    void selectNode(ClientId owner, const QString& node); // owner none = foreign node
    void selectEvent(EventIndex event, ClientId client);
    void selectHandoff(EventIndex acquired, ClientId to);
    void selectLock(LockId lock);
    void select(const Selected& what);
    void clear();

signals:
    void changed();

private:
    QString nodeKeptFor(ClientId client) const;
    Selected m_now;
};

} // namespace lockscope::ui
