#include "ui/shell/window/visibility_watcher.h"

#include <QEvent>

#include <algorithm>

namespace lockscope::ui {

VisibilityWatcher::VisibilityWatcher(const std::vector<QWidget*>& widgets, std::function<void(bool)> callback,
                                     QObject* parent)
    : QObject(parent)
    , m_widgets(widgets.begin(), widgets.end())
    , m_callback(std::move(callback))
{
    for (QWidget* each : widgets) {
        each->installEventFilter(this);
    }
    m_callback(m_shown);
    update();
}

void VisibilityWatcher::update()
{
    const bool shown = std::any_of(m_widgets.begin(), m_widgets.end(),
                                   [](const QPointer<QWidget>& each) { return each && each->isVisible(); });
    if (shown != m_shown) {
        m_shown = shown;
        m_callback(shown);
    }
}

bool VisibilityWatcher::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide) {
        update();
    }
    return QObject::eventFilter(watched, event);
}

} // namespace lockscope::ui

#include "moc_visibility_watcher.cpp"
