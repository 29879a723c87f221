// Asks which two runs to compare and which changes to apply to both. Does not block: a signal carries the
// choice. GUI thread.
#pragma once

#include "ui/shell/compare/compare_job.h"
#include "ui/shell/dialogs/form_dialog.h"

class QComboBox;

namespace lockscope::ui {

class CompareDialog : public FormDialog
{
    Q_OBJECT
public:
    // `present`: the run shown now, preselected as the first of the two; without a store it is not offered.
    CompareDialog(CompareSource present, const Theme* theme, QWidget* parent);

public slots:
    void accept() override; // shows the error and stays open when a choice cannot be used

signals:
    void chosen(const std::array<lockscope::ui::CompareSource, 2>& sources);

private:
    QComboBox* addChooser(const QString& label, const char* name);
    QSpinBox* addChange(const QString& label, const char* name, int most);
    Result<CompareSource> sourceOf(const QComboBox* chooser) const;

    CompareSource m_currentRun;
    QComboBox* m_a;
    QComboBox* m_b;
    QSpinBox* m_clients;
    QSpinBox* m_cycles;
    QSpinBox* m_seed;
};

} // namespace lockscope::ui
