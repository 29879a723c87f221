// Asks which two runs to compare and which changes to apply to both. Does not block: a signal carries the
// choice. GUI thread.
#pragma once

#include <QDialog>

#include "ui/shell/compare/compare_job.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QSpinBox;

namespace lockscope::ui {

class CompareDialog : public QDialog
{
    Q_OBJECT
public:
    // `present`: the run shown now, preselected as the first of the two; without a store it is not offered.
    CompareDialog(CompareSource present, QWidget* parent);

public slots:
    void accept() override; // shows the error and stays open when a choice cannot be used

signals:
    void chosen(const std::array<lockscope::ui::CompareSource, 2>& sources);

private:
    QComboBox* addChooser(QFormLayout* form, const QString& label, const QString& name);
    QSpinBox* addNumber(QFormLayout* form, const QString& label, const QString& name, int most);
    void askForFile(QComboBox* chooser);
    Result<CompareSource> sourceOf(const QComboBox* chooser) const;

    CompareSource m_currentRun;
    QComboBox* m_a;
    QComboBox* m_b;
    QSpinBox* m_clients;
    QSpinBox* m_cycles;
    QSpinBox* m_seed;
    QLabel* m_error;
};

} // namespace lockscope::ui
