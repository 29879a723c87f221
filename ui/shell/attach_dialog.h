// Asks which lock of which running ZooKeeper is to be shown, and whether to join it, which it asks twice. Says what is wrong with
// the answer before anything is tried. GUI thread.
#pragma once

#include <QDialog>

#include "ui/shell/lock_place.h"

#include <functional>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QRadioButton;
class QSpinBox;

namespace lockscope::ui {

class Look;

// Clients that join make nodes where other programs work: the place is named once more before that. Carries it out
// when the answer is yes, and not when the window or the parent has gone before.
void askToJoin(QWidget* parent, const LockPlace& place, std::function<void()> join);

class AttachDialog : public QDialog
{
    Q_OBJECT
public:
    // Recent places, the newest first; `last` is what was tried last in this window.
    AttachDialog(const QList<LockPlace>& recent, const LockPlace& last, const Look* look, QWidget* parent);

signals:
    void chosen(const lockscope::ui::LockPlace& place);

protected:
    void accept() override;

private:
    QLineEdit* addLine(const QString& name, const QString& example, const QString& explanation);
    void addRecent(QFormLayout* form, const QList<LockPlace>& recent);
    void addManner(QFormLayout* form);
    void fill(const LockPlace& place);
    void tell();
    void choose(const LockPlace& place);
    bool complains(QLineEdit* line, const PlaceFault& fault);

    QLineEdit* m_servers;
    QLineEdit* m_path;
    QRadioButton* m_watches;
    QRadioButton* m_joins;
    QSpinBox* m_clients;
    QLabel* m_note;
    QLabel* m_fault;
};

} // namespace lockscope::ui
