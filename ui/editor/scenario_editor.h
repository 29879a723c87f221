// The window in which a scenario is edited: the form, and what can be done with it. Beside the run, which
// goes on. GUI thread.
#pragma once

#include <QDialog>
#include <QLocale>

#include "core/sim/scenario/scenario.h"
#include "ui/models/retranslate.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace lockscope::ui {

class Theme;
class ScenarioForm;

class ScenarioEditor : public QDialog
{
    Q_OBJECT
public:
    ScenarioEditor(Theme* theme, QWidget* parent);
    // `path` is where it is saved again; empty for a built-in and a new one. What the file has may differ.
    void edit(const sim::Scenario& scenario, const QString& path);
    static sim::Scenario defaultScenario(); // a new one, small and right

    ScenarioForm& form() { return *m_form; }
    bool unsaved() const;
    bool saveTo(const QString& path);

public slots:
    void save();
    void saveAs();
    void run();
    void reject() override; // asks when something is not saved

signals:
    // `path`: of its file, which may have another content; empty when there is none.
    void runWanted(const lockscope::sim::Scenario& scenario, const QString& label, const QString& path);
    void saved(const QString& path);

private:
    void assemble();
    void retranslate();
    void makeForm();
    void rebuildForm();
    void refresh();
    void showStatus(TextProvider text);

    Theme* m_theme;
    ScenarioForm* m_form = nullptr;
    QVBoxLayout* m_column;
    QLocale m_formLocale; // its language; another one than now while it cannot be made anew
    QLabel* m_state;
    QPushButton* m_save;
    QPushButton* m_saveAs;
    QPushButton* m_run;
    QPushButton* m_close;
    QString m_path;
    QString m_savedText; // what the file has; for a new one what it began with
    TextProvider m_status;      // about the last saving; until the next change
};

} // namespace lockscope::ui
