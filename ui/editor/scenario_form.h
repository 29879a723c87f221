// A scenario as a form: pages of fields, and beside them the text that is saved. Shows mistakes while the
// user types, in the words of the file's reader. GUI thread.
#pragma once

#include <QWidget>

#include "core/sim/scenario/scenario.h"

#include <optional>
#include <vector>

class QPlainTextEdit;
class QTabWidget;

namespace lockscope::ui {

class ClientsPage;
class Field;
class FormPage;
class Theme;
class ScriptPage;

class ScenarioForm : public QWidget
{
    Q_OBJECT
public:
    ScenarioForm(Theme* theme, QWidget* parent);
    void load(const sim::Scenario& scenario);
    // The name of the file without its suffix; also the title of a scenario without one.
    void setName(const QString& name);
    QString name() const { return m_name; }

    // As it would be read from the file; none while there are mistakes.
    const std::optional<sim::Scenario>& scenario() const { return m_scenario; }
    QString toml() const; // empty while there are mistakes
    int mistakes() const { return static_cast<int>(m_invalidFields.size()); }
    void showFirstMistake();
    int page() const;
    void showPage(int page);
    void focusTitle(); // on the first page

signals:
    void changed();

private:
    void addPage(FormPage* page, const QString& title);
    Recipe recipe() const;
    void check();
    void showMistakes();
    void applyTheme();

    Theme* m_theme;
    QTabWidget* m_tabs;
    QPlainTextEdit* m_preview;
    FormPage* m_lock;
    ClientsPage* m_clients;
    FormPage* m_work;
    ScriptPage* m_script;
    std::vector<FormPage*> m_pages;
    QStringList m_titles;
    QString m_name;
    std::optional<sim::Scenario> m_scenario;
    std::vector<Field*> m_invalidFields;
    bool m_loading = false;
};

} // namespace lockscope::ui
