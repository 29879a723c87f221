#include "ui/shell/window/actions.h"

#include <QActionGroup>
#include <QWidget>

namespace lockscope::ui {

Actions::Actions(QWidget* host)
    : QObject(host)
    , m_host(host)
{
    auto* themes = new QActionGroup(this);
    for (const char* theme : {"themeSystem", "themeLight", "themeDark"})
        themes->addAction(of(theme));
    of("showMenuBar")->setChecked(true);
}

QAction* Actions::of(const char* name) const
{
    QAction*& action = m_made[QLatin1String(name)];
    if (!action) {
        action = makeCommand(name, m_host);
        m_host->addAction(action);
    }
    return action;
}

} // namespace lockscope::ui

#include "moc_actions.cpp"
