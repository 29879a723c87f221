// The page of the run: duration, servers, pace and stepping. GUI thread.
#pragma once

#include "ui/editor/form_page.h"

class QCheckBox;
class QLineEdit;
class QPlainTextEdit;

namespace lockscope::ui {

class ChoiceField;

class RunPage : public FormPage
{
    Q_OBJECT
public:
    explicit RunPage(QWidget* parent);
    void load(const sim::Scenario& scenario) override;
    void write(Draft& draft) const override;

private:
    QLineEdit* m_duration;
    QLineEdit* m_seed;
    QLineEdit* m_timeout;
    QLineEdit* m_pace;
    ChoiceField* m_servers;
    QLineEdit* m_connect;
    ChoiceField* m_links;
    QCheckBox* m_stepping;
    QPlainTextEdit* m_steps;
};

} // namespace lockscope::ui
