// The page of the script, line by line. GUI thread.
#pragma once

#include "ui/editor/form_page.h"

#include <vector>

class QPushButton;
class QStringListModel;

namespace lockscope::ui {

class ScriptRow;

class ScriptPage : public FormPage
{
    Q_OBJECT
public:
    explicit ScriptPage(QWidget* parent);
    void load(const sim::Scenario& scenario) override;
    void write(Draft& draft) const override;
    void addLine();
    // Updates the completions.
    void setNames(const sim::Scenario& scenario);
    const std::vector<ScriptRow*>& rows() const { return m_rows; }

private:
    ScriptRow* addRow();
    void remove(ScriptRow* row);
    void move(ScriptRow* row, int by);
    void numberRows();

    QStringListModel* m_conditions;
    QStringListModel* m_actions;
    QVBoxLayout* m_lines;
    QPushButton* m_addLine;
    std::vector<ScriptRow*> m_rows;
};

} // namespace lockscope::ui
