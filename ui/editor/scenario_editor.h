// The window that edits a scenario: the form and its buttons. A run continues meanwhile. GUI thread.
#pragma once

#include <QDialog>
#include <QLocale>
#include <QPointer>

#include "core/sim/scenario/scenario.h"
#include "ui/models/style/retranslate.h"

#include <functional>
#include <vector>

class QLabel;
class QMessageBox;
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
    // `path` is the file to save to; empty for a built-in or new scenario. The file's content may differ.
    void edit(const sim::Scenario& scenario, const QString& path);
    static sim::Scenario defaultScenario(); // a small valid scenario

    ScenarioForm& form() { return *m_form; }
    bool unsaved() const;
    // Asks about unsaved changes and calls `done` once the user has saved them or given them up. Replaces an
    // earlier question.
    void askToSave(std::function<void()> done);
    bool saveTo(const QString& path);

public slots:
    void save();
    void saveAs();
    void run();
    void undo();
    void redo();
    void reject() override; // asks when there are unsaved changes

signals:
    // `path`: its file, whose content may differ; empty without a file.
    void runWanted(const lockscope::sim::Scenario& scenario, const QString& label, const QString& path);
    void saved(const QString& path);

protected:
    // Undo is the form's, not that of the text field with the focus.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void remember();
    void restore(std::size_t state);
    void saveThen(const std::function<void()>& then);
    void saveAsThen(const std::function<void()>& then);
    void assemble();
    void retranslate();
    void makeForm();
    void rebuildForm();
    void refresh();
    void showStatus(TextProvider text);

    Theme* m_theme;
    ScenarioForm* m_form = nullptr;
    QVBoxLayout* m_column;
    QLocale m_formLocale; // its language; the previous one until the form can be rebuilt
    QLabel* m_state;
    QPushButton* m_undo;
    QPushButton* m_redo;
    QPushButton* m_save;
    QPushButton* m_saveAs;
    QPushButton* m_run;
    QPushButton* m_close;
    QPointer<QMessageBox> m_question; // about unsaved changes
    QString m_path;
    QString m_savedText;                 // the content of the file; of a new scenario the initial one
    std::vector<sim::Scenario> m_states; // without mistakes; changes of one field in a row are one
    std::size_t m_at = 0;                // the one that is shown, or from which mistakes began
    QPointer<QWidget> m_edited;          // the field that was changed last
    bool m_restoring = false;
    TextProvider m_status; // the result of the last save, until the next change
};

} // namespace lockscope::ui
