// The preferences: language, theme, times, updates per second, and the keys of all commands. Every change
// takes effect at once and is kept. GUI thread.
#pragma once

#include <QDialog>
#include <QHash>
#include <QKeySequence>

#include "ui/models/style/preferences.h"

class QAction;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QTableWidget;

namespace lockscope::ui {

struct PreferenceCommands
{
    QList<QAction*> languages; // one of them is checked; empty: the language cannot be changed
    QList<QAction*> themes;
    QAction* wallClock;
    QHash<QString, QString> views; // the titles of the views, by name
};

// Gives all commands of all windows the keys that the user chose.
void applyKeys();

class PreferencesDialog : public QDialog
{
    Q_OBJECT
public:
    PreferencesDialog(PreferenceCommands commands, Settings settings, QWidget* window);

signals:
    void updatesChosen(int perSecond);

private:
    QComboBox* addChoice(QFormLayout* rows, const QString& label, const QList<QAction*>& actions);
    QWidget* makeKeys();
    void fillKeys();
    void showMatching();
    void setKeys(int row, const QString& keys);                           // "Ctrl+K; F3"
    QString ownerOf(const QKeySequence& keys, const QString& name) const; // empty: no other command has them
    QString titleOf(const QString& name) const;

    PreferenceCommands m_commands;
    Settings m_settings;
    QWidget* m_window;
    QLineEdit* m_search = nullptr;
    QTableWidget* m_keys = nullptr;
    QLabel* m_note = nullptr;
};

} // namespace lockscope::ui
