// The menu "Language": the system's, or one of those that LockScope speaks, each in its own words. GUI thread.
#pragma once

#include <QMenu>

class QSettings;

namespace lockscope::ui {

class Language;

class LanguageMenu : public QMenu
{
    Q_OBJECT
public:
    // `settings` may be null: then the choice is not kept for the next start.
    LanguageMenu(Language* language, QSettings* settings, QWidget* parent);

    QList<QAction*> languages() const; // without the system's

    static QString kept(const QSettings& settings);

private:
    QAction* add(const QString& code);
    void choose(const QString& code);
    void showChosen();

    Language* m_language;
    QSettings* m_settings;
    QAction* m_system;
};

} // namespace lockscope::ui
