// What dialogs that ask for a choice have in common: a form, a note, a place for what is wrong, and two
// buttons. They do not block, and delete themselves when they are closed. GUI thread.
#pragma once

#include <QDialog>

#include "ui/widgets/ask_for_file.h"

class QFormLayout;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace lockscope::ui {

class Theme;

class FormDialog : public QDialog
{
    Q_OBJECT
protected:
    // `name`: "attach" has the parts "attachDialog", "attachNote" and "attachFault". `yes`: on the main
    // button.
    FormDialog(const QString& name, const QString& title, const QString& yes, const Theme* theme,
               QWidget* parent);

    QFormLayout* form() const { return m_form; }
    void setNote(const QString& text);
    void setYes(const QString& text); // on the main button
    void shrinkToFit();               // to the height that the shown rows need
    // `field`: gets the focus; may be null.
    void showError(const QString& text, QWidget* field);
    QSpinBox* addNumber(const QString& label, const char* name, int least, int most, int value);
    // The field with a button that asks for a file or a folder; `chosen` gets its path.
    QHBoxLayout* addFileRow(const QString& label, QWidget* field, const QString& tip,
                            const FileQuestion& question, std::function<void(const QString& path)> chosen);

private:
    QFormLayout* m_form;
    QLabel* m_note;
    QLabel* m_error;
    QPushButton* m_yes;
};

} // namespace lockscope::ui
