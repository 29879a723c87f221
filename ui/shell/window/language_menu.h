// The menu "Language": the system's language, or one of LockScope's translations, each named in its own
// language. GUI thread.
#pragma once

#include <QMenu>

#include "ui/models/style/settings.h"

namespace lockscope::ui {

class Language;

class LanguageMenu : public QMenu
{
    Q_OBJECT
public:
    LanguageMenu(Language* language, Settings settings, QWidget* parent);

    QList<QAction*> languages() const; // without the system's language

    static QString kept(const Settings& settings); // the saved language code; empty if it is not in the menu

private:
    QAction* add(const QString& code);
    void choose(const QString& code);
    void showChosen();

    Language* m_language;
    Settings m_settings;
    QAction* m_system;
};

} // namespace lockscope::ui
