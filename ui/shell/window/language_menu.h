// The menu "Language": the system's, or one of those that LockScope has, each in its own language. GUI
// thread.
#pragma once

#include <QMenu>

#include "ui/models/settings.h"

namespace lockscope::ui {

class Language;

class LanguageMenu : public QMenu
{
    Q_OBJECT
public:
    LanguageMenu(Language* language, Settings settings, QWidget* parent);

    QList<QAction*> languages() const; // without the system's

    static QString kept(const Settings& settings); // empty unless it is one of these

private:
    QAction* add(const QString& code);
    void choose(const QString& code);
    void showChosen();

    Language* m_language;
    Settings m_settings;
    QAction* m_system;
};

} // namespace lockscope::ui
