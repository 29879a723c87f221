#include "ui/shell/dialogs/judge_dialog.h"

#include <QComboBox>
#include <QDir>
#include <QFormLayout>
#include <QLineEdit>
#include <QSpinBox>

#include <limits>

namespace lockscope::ui {

namespace {
constexpr int kMostCopies = 50;
constexpr int kMostSeconds = 3'600;
} // namespace

JudgeDialog::JudgeDialog(const JudgeChoice& last, const Theme* theme, QWidget* parent)
    : FormDialog(QStringLiteral("judge"), tr("Judge a Program"),
                 //: a button: runs copies of the user's program under faults
                 tr("Judge"), theme, parent)
    , m_command(new QLineEdit(last.command, this))
    , m_faults(new QComboBox(this))
{
    m_command->setObjectName("judgeCommand");
    m_command->setPlaceholderText("python3 my_lock.py");
    m_faults->setObjectName("judgeFaults");
    m_faults->addItem(tr("Gentle: what a session survives"), false);
    m_faults->addItem(tr("Harsh: also ended sessions, killed processes and a server that restarts"), true);
    m_faults->setCurrentIndex(last.harsh ? 1 : 0);
    form()->addRow(tr("&Program"), m_command);
    m_copies = addNumber(tr("&Copies"), "judgeCopies", 2, kMostCopies, last.copies);
    form()->addRow(tr("&Faults"), m_faults);
    m_seed = addNumber(tr("&Seed"), "judgeSeed", 0, std::numeric_limits<int>::max(), last.seed);
    m_seconds = addNumber(tr("&Time for faults"), "judgeSeconds", 1, kMostSeconds, last.seconds);
    m_seconds->setSuffix(tr(" s"));
    setNote(
        tr("The copies run in the folder %1, on a private ZooKeeper. Each gets the server's address in the "
           "variable LOCKSCOPE_CONNECT and the path of the lock in LOCKSCOPE_LOCK, and writes the lines "
           "acquired and released. The page \"Is your lock right?\" of the manual says more.")
            .arg(QDir::toNativeSeparators(QDir::currentPath())));
    m_command->selectAll();
    m_command->setFocus();
}

void JudgeDialog::accept()
{
    if (m_command->text().trimmed().isEmpty()) {
        showError(tr("Name the program and its arguments, as in a terminal."), m_command);
        return;
    }
    emit chosen({m_command->text().trimmed(), m_copies->value(), m_seed->value(), m_seconds->value(),
                 m_faults->currentData().toBool()});
    QDialog::accept();
}

} // namespace lockscope::ui

#include "moc_judge_dialog.cpp"
