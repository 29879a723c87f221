// Asks which lock of which running ZooKeeper is to be shown, and whether to join it, which it asks twice. Shows what is wrong with
// the answer before anything is tried. GUI thread.
#pragma once

#include <QDialog>

#include "ui/shell/dialogs/attach_target.h"

#include <functional>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QRadioButton;
class QSpinBox;

namespace lockscope::ui {

class Theme;

// Clients that join make nodes where other programs work: the place is named once more before that. Carries it out
// when the answer is yes, and not when the window or the parent has gone before.
void confirmJoin(QWidget* parent, const AttachTarget& place, std::function<void()> join);

class AttachDialog : public QDialog
{
    Q_OBJECT
public:
    // Recent places, the newest first; `last` is what was tried last in this window.
    AttachDialog(const QList<AttachTarget>& recent, const AttachTarget& last, const Theme* theme, QWidget* parent);

signals:
    void chosen(const lockscope::ui::AttachTarget& place);

protected:
    void accept() override;

private:
    QLineEdit* addLine(const QString& name, const QString& example, const QString& explanation);
    void addRecent(QFormLayout* form, const QList<AttachTarget>& recent);
    void addModeChoice(QFormLayout* form);
    void fill(const AttachTarget& place);
    void updateNote();
    void choose(const AttachTarget& place);
    bool showError(QLineEdit* line, const InputError& fault);

    QLineEdit* m_servers;
    QLineEdit* m_path;
    QRadioButton* m_watches;
    QRadioButton* m_joins;
    QSpinBox* m_clients;
    QLabel* m_note;
    QLabel* m_error;
};

} // namespace lockscope::ui
