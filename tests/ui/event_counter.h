// Counts the events of one type that a widget receives.
#pragma once

#include <QEvent>
#include <QObject>

namespace lockscope::ui {

class EventCounter : public QObject
{
public:
    EventCounter(QEvent::Type type, QObject* watched)
        : m_type(type)
    {
        watched->installEventFilter(this);
    }
    int count = 0;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        count += event->type() == m_type ? 1 : 0;
        return QObject::eventFilter(watched, event);
    }

private:
    QEvent::Type m_type;
};

} // namespace lockscope::ui
