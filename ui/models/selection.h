// What is selected, everywhere at once: views set it and listen to it and never know each other. GUI thread.
#pragma once

#include <QObject>
#include <QString>

#include "core/base/ids.h"
#include "core/base/time.h"

namespace lockscope::ui {

class Selection : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    ClientId client() const { return m_client; }
    QString node() const { return m_node; } // child name; empty = none
    LockId lock() const { return m_lock; }  // the lock shown; the first by default
    EventIndex event() const { return m_event; }

    // A client: its node (if the caller knows it) is selected with it.
    void selectClient(ClientId client, const QString& node = {}, EventIndex event = EventIndex::none());
    void selectNode(ClientId owner, const QString& node); // owner none = foreign node
    void selectEvent(EventIndex event, ClientId client);
    void selectLock(LockId lock);
    void clear();

signals:
    void changed();

private:
    ClientId m_client = ClientId::none();
    QString m_node;
    LockId m_lock{0};
    EventIndex m_event = EventIndex::none();
};

} // namespace lockscope::ui
