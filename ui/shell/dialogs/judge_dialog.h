// Asks which program's lock to judge, and what to try on it. GUI thread.
#pragma once

#include <QDialog>
#include <QString>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace lockscope::ui {

class Theme;

struct JudgeChoice
{
    QString command; // words as in a shell; quotes keep blanks
    int copies = 3;
    int seed = 1;
    int seconds = 20;
    bool harsh = false;
};

class JudgeDialog : public QDialog
{
    Q_OBJECT
public:
    JudgeDialog(const JudgeChoice& last, const Theme* theme, QWidget* parent);

signals:
    void chosen(const lockscope::ui::JudgeChoice& choice);

protected:
    void accept() override;

private:
    QSpinBox* addNumber(QFormLayout* form, const QString& label, const char* name, int least, int most,
                        int value);

    QLineEdit* m_command;
    QComboBox* m_faults;
    QSpinBox* m_copies;
    QSpinBox* m_seed;
    QSpinBox* m_seconds;
    QLabel* m_error;
};

} // namespace lockscope::ui
