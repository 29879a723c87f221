#include "ui/shell/dialogs/judge_dialog.h"

#include "ui/models/style/theme.h"
#include "ui/shell/dialogs/dialog_parts.h"
#include "ui/widgets/panel_parts.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <limits>

namespace lockscope::ui {

namespace {
constexpr int kMostCopies = 50;
constexpr int kMostSeconds = 3'600;
} // namespace

JudgeDialog::JudgeDialog(const JudgeChoice& last, const Theme* theme, QWidget* parent)
    : QDialog(parent)
    , m_command(new QLineEdit(last.command, this))
    , m_faults(new QComboBox(this))
    , m_error(new QLabel(this))
{
    setObjectName("judgeDialog");
    setWindowTitle(tr("Judge a Program"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_command->setObjectName("judgeCommand");
    m_command->setPlaceholderText("python3 my_lock.py");
    m_faults->setObjectName("judgeFaults");
    m_faults->addItem(tr("Gentle: what a session survives"), false);
    m_faults->addItem(tr("Harsh: also ended sessions, killed processes and a server that restarts"), true);
    m_faults->setCurrentIndex(last.harsh ? 1 : 0);
    auto* form = new QFormLayout;
    form->addRow(tr("&Program"), m_command);
    m_copies = addNumber(form, tr("&Copies"), "judgeCopies", 2, kMostCopies, last.copies);
    form->addRow(tr("&Faults"), m_faults);
    m_seed = addNumber(form, tr("&Seed"), "judgeSeed", 0, std::numeric_limits<int>::max(), last.seed);
    m_seconds = addNumber(form, tr("&Time for faults"), "judgeSeconds", 1, kMostSeconds, last.seconds);
    m_seconds->setSuffix(tr(" s"));
    auto* note = new QLabel(
        tr("The copies run in the folder %1, on a private ZooKeeper. Each gets the server's address in the "
           "variable LOCKSCOPE_CONNECT and the path of the lock in LOCKSCOPE_LOCK, and writes the lines "
           "acquired and released. The page \"Is your lock right?\" of the manual says more.")
            .arg(QDir::toNativeSeparators(QDir::currentPath())),
        this);
    for (QLabel* label : {note, m_error}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    m_error->setObjectName("judgeFault");
    setTextColour(m_error, theme->palette().staleText);
    m_error->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    //: a button: runs copies of the user's program under faults
    labelPrimaryButton(buttons, tr("Judge"));
    connect(buttons, &QDialogButtonBox::accepted, this, &JudgeDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    setDialogMargins(column);
    column->addLayout(form);
    column->addWidget(note);
    column->addWidget(m_error);
    column->addWidget(buttons);
    setMinimumWidth(560);
    m_command->selectAll();
    m_command->setFocus();
}

QSpinBox* JudgeDialog::addNumber(QFormLayout* form, const QString& label, const char* name, int least,
                                 int most, int value)
{
    auto* box = new QSpinBox(this);
    box->setObjectName(name);
    box->setRange(least, most);
    box->setValue(value);
    form->addRow(label, box);
    return box;
}

void JudgeDialog::accept()
{
    if (m_command->text().trimmed().isEmpty()) {
        m_error->setText(tr("Name the program and its arguments, as in a terminal."));
        m_error->show();
        m_command->setFocus();
        return;
    }
    emit chosen({m_command->text().trimmed(), m_copies->value(), m_seed->value(), m_seconds->value(),
                 m_faults->currentData().toBool()});
    QDialog::accept();
}

} // namespace lockscope::ui

#include "moc_judge_dialog.cpp"
