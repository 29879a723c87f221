// Asks which program's lock to judge, and what to try on it. GUI thread.
#pragma once

#include "ui/shell/dialogs/form_dialog.h"

#include <QString>

class QComboBox;
class QLineEdit;

namespace lockscope::ui {

struct JudgeChoice
{
    QString command; // words as in a shell; quotes keep blanks
    int copies = 3;
    int seed = 1;
    int seconds = 20;
    bool harsh = false;
};

class JudgeDialog : public FormDialog
{
    Q_OBJECT
public:
    JudgeDialog(const JudgeChoice& last, const Theme* theme, QWidget* parent);

signals:
    void chosen(const lockscope::ui::JudgeChoice& choice);

protected:
    void accept() override;

private:
    QLineEdit* m_command;
    QComboBox* m_faults;
    QSpinBox* m_copies;
    QSpinBox* m_seed;
    QSpinBox* m_seconds;
};

} // namespace lockscope::ui
