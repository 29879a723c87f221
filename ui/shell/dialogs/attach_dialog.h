// Asks which lock on which running ZooKeeper to show, and whether to watch it or to join its queue, which
// must be confirmed. Reports invalid input before any connection is tried. GUI thread.
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

// Asks for confirmation, naming the lock, because clients that join create nodes where other programs work.
// Calls `join` if the user agrees, and never after `parent` was destroyed.
void confirmJoin(QWidget* parent, const AttachTarget& place, std::function<void()> join);

// Says which programs use the lock (`found`), and asks whether to watch it, to join it all the same, or
// neither. Calls neither after `parent` was destroyed.
void askAboutForeignPrograms(QWidget* parent, const AttachTarget& place, const QString& found,
                             std::function<void()> watch, std::function<void()> join);

class AttachDialog : public QDialog
{
    Q_OBJECT
public:
    // `recent`: the newest first; `last`: the target that was tried last in this window.
    AttachDialog(const QList<AttachTarget>& recent, const AttachTarget& last, const Theme* theme,
                 QWidget* parent);

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
