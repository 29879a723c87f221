// The actions of the window's commands, shared by the menus, the bars and the keyboard. Each is made when it
// is first asked for. This class connects none of them. GUI thread.
#pragma once

#include <QHash>
#include <QObject>

#include "ui/models/style/command_table.h"

namespace lockscope::ui {

class Actions : public QObject
{
    Q_OBJECT
public:
    // `host` is the window in which the keys work.
    explicit Actions(QWidget* host);

    QAction* of(const char* name) const; // a name of the table of commands
    // Calls it whenever the user triggers this command, as long as `receiver` lives.
    template <class Receiver, class Call>
    void on(const char* name, Receiver* receiver, Call call) const
    {
        connect(of(name), &QAction::triggered, receiver, std::move(call));
    }

private:
    QWidget* m_host;
    mutable QHash<QLatin1String, QAction*> m_made;
};

} // namespace lockscope::ui
