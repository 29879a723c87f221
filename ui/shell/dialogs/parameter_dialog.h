// Asks for the numbers of one command: how long, how slow, which server. Does not block: the run continues
// behind it, and a signal carries the answer. GUI thread.
#pragma once

#include <QDialog>

#include "ui/shell/run/faults.h"

class QSpinBox;

namespace lockscope::ui {

class ParameterDialog : public QDialog
{
    Q_OBJECT
public:
    ParameterDialog(const CommandState& words, const std::vector<Parameter>& parameters, QWidget* parent);

signals:
    void chosen(const std::vector<int>& values);

private:
    std::vector<QSpinBox*> m_boxes;
};

} // namespace lockscope::ui
