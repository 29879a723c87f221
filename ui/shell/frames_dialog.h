// Asks of which view, which stretch of time and where numbered pictures are to be made. GUI thread.
#pragma once

#include <QDialog>

#include "ui/shell/frame_job.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace lockscope::ui {

class FramesDialog : public QDialog
{
    Q_OBJECT
public:
    // Widgets with their titles; the stretch that is offered at first.
    FramesDialog(const QList<QPair<QString, QWidget*>>& widgets, TraceTime begin, TraceTime end, const QString& folder,
                 QWidget* parent);

signals:
    void chosen(const lockscope::ui::FramePlan& plan);

protected:
    void accept() override;

private:
    QDoubleSpinBox* addTime(const QString& name, TraceTime value);
    FramePlan plan() const;
    void tell();

    QComboBox* m_widget;
    QDoubleSpinBox* m_begin;
    QDoubleSpinBox* m_end;
    QSpinBox* m_perSecond;
    QLineEdit* m_folder;
    QLabel* m_note;
    QPushButton* m_ok = nullptr;
};

} // namespace lockscope::ui
