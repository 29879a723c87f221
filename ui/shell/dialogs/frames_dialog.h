// Asks for the view, the time range and the destination of an animated GIF or of numbered pictures. GUI
// thread.
#pragma once

#include <QDialog>

#include "ui/shell/export/frame_job.h"

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
    enum class Form { animation, numbered };
    // `widgets` with their titles; `begin` to `place` are the initial values of the fields.
    FramesDialog(Form form, const QList<QPair<QString, QWidget*>>& widgets, TraceTime begin, TraceTime end,
                 double speed, const QString& place, QWidget* parent);

signals:
    void chosen(const lockscope::ui::FramePlan& plan);

protected:
    void accept() override;

private:
    void fillSpeeds(double speed);
    QDoubleSpinBox* addTime(const QString& name, TraceTime value);
    FramePlan plan() const;
    QString textFor(const FramePlan& plan) const;
    void browse();
    void updateNote();

    Form m_form;

    QComboBox* m_widget;
    QDoubleSpinBox* m_begin;
    QDoubleSpinBox* m_end;
    QSpinBox* m_perSecond;
    QComboBox* m_speed;
    QLineEdit* m_place; // a file or a folder
    QLabel* m_note;
    QPushButton* m_ok = nullptr;
};

} // namespace lockscope::ui
