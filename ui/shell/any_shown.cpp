#include "ui/shell/any_shown.h"

#include <QEvent>

#include <algorithm>

namespace lockscope::ui {

AnyShown::AnyShown(const std::vector<QWidget*>& widgets, std::function<void(bool)> tell, QObject* parent)
    : QObject(parent)
    , m_widgets(widgets.begin(), widgets.end())
    , m_tell(std::move(tell))
{
    for (QWidget* each : widgets) {
        each->installEventFilter(this);
    }
    m_tell(m_shown);
    look();
}

void AnyShown::look()
{
    const bool shown = std::any_of(m_widgets.begin(), m_widgets.end(),
                                   [](const QPointer<QWidget>& each) { return each && each->isVisible(); });
    if (shown != m_shown) {
        m_shown = shown;
        m_tell(shown);
    }
}

bool AnyShown::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide) {
        look();
    }
    return QObject::eventFilter(watched, event);
}

} // namespace lockscope::ui
