// Asks for logs of servers that are to stand beside traces, and for the key of the sessions. GUI thread.
#pragma once

#include "ui/shell/dialogs/form_dialog.h"
#include "ui/shell/run/merge_traces.h"

class QLineEdit;

namespace lockscope::ui {

class MergeDialog : public FormDialog
{
    Q_OBJECT
public:
    MergeDialog(const MergeInputs& inputs, const Theme* theme, QWidget* parent);

signals:
    void chosen(const lockscope::ui::MergeInputs& inputs);

protected:
    void accept() override;

private:
    void showInputs();

    MergeInputs m_inputs;
    QLineEdit* m_logs;
    QLineEdit* m_key;
    QHBoxLayout* m_keyRow = nullptr;
};

} // namespace lockscope::ui
