// Asks which lock on which running ZooKeeper to show, and whether to watch it or to join its queue, which
// must be confirmed. Reports invalid input before any connection is tried. GUI thread.
#pragma once

#include "ui/shell/dialogs/attach_target.h"
#include "ui/shell/dialogs/form_dialog.h"

#include <functional>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QRadioButton;

namespace lockscope::ui {

// Asks for confirmation, naming the lock, because clients that join create nodes where other programs work.
// Calls `join` if the user agrees, and never after `parent` was destroyed.
void confirmJoin(QWidget* parent, const AttachTarget& place, std::function<void()> join);

// Says which programs use the lock (`found`), and asks whether to watch it, to join it all the same, or
// neither. Calls neither after `parent` was destroyed.
void askAboutForeignPrograms(QWidget* parent, const AttachTarget& place, const QString& found,
                             std::function<void()> watch, std::function<void()> join);

class AttachDialog : public FormDialog
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
    QLineEdit* addLine(const char* name, const QString& example, const QString& explanation);
    void addRecent(const QList<AttachTarget>& recent);
    void addSecurity();
    void addSasl();
    zk::wire::SaslOptions chosenSasl() const;
    void addModeChoice();
    void fill(const AttachTarget& place);
    void updateNote();
    void choose(const AttachTarget& place);
    bool isWrong(QLineEdit* line, const InputError& fault);
    bool isUnusable(const tls::Options& files);
    bool isUnusable(const AttachTarget& place); // its SASL

    QLineEdit* m_servers;
    QLineEdit* m_path;
    QCheckBox* m_secured;
    QLineEdit* m_ca;
    QLineEdit* m_certificate;
    QLineEdit* m_key;
    QComboBox* m_sasl; // 0: none; then one of saslMechanisms()
    QLineEdit* m_saslFile;
    QLineEdit* m_saslService;
    QRadioButton* m_watches;
    QRadioButton* m_joins;
    QSpinBox* m_clients;
};

} // namespace lockscope::ui
