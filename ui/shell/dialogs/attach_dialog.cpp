#include "ui/shell/dialogs/attach_dialog.h"

#include "ui/models/style/theme.h"
#include "ui/shell/dialogs/dialog_parts.h"
#include "ui/widgets/panel_parts.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <utility>

namespace lockscope::ui {

namespace {
constexpr int kMaxJoiningClients = 1'000;
constexpr int kDefaultJoiningClients = 5;
} // namespace

void confirmJoin(QWidget* parent, const AttachTarget& place, std::function<void()> join)
{
    auto* question = new QMessageBox(parent);
    question->setObjectName("attachQuestion");
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setIcon(QMessageBox::Question);
    question->setWindowTitle(AttachDialog::tr("Join the lock?"));
    question->setTextFormat(Qt::PlainText);
    question->setText(
        AttachDialog::tr("Join %1 with %Ln clients?", nullptr, place.clients).arg(place.words()));
    question->setInformativeText(AttachDialog::tr(
        "They create nodes there, and the programs that use this lock wait for them in turn."));
    QPushButton* yes = question->addButton(AttachDialog::tr("&Join"), QMessageBox::AcceptRole);
    question->setDefaultButton(question->addButton(AttachDialog::tr("&Back"), QMessageBox::RejectRole));
    QObject::connect(yes, &QPushButton::clicked, parent, [join = std::move(join)] { join(); });
    question->open();
}

void askAboutForeignPrograms(QWidget* parent, const AttachTarget& place, const QString& found,
                             std::function<void()> watch, std::function<void()> join)
{
    auto* question = new QMessageBox(parent);
    question->setObjectName("foreignQuestion");
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setIcon(QMessageBox::Warning);
    question->setWindowTitle(AttachDialog::tr("The lock is in use"));
    question->setTextFormat(Qt::PlainText);
    question->setText(found);
    question->setInformativeText(
        AttachDialog::tr("Nothing was changed, and no client was started. Watch: the lock is shown, and "
                         "still nothing is changed. "
                         "Join: %Ln clients of LockScope create nodes there, queue with these programs, hold "
                         "the lock in their turn and "
                         "queue again until you end the run; the programs wait for them.",
                         nullptr, place.clients));
    QPushButton* watches = question->addButton(AttachDialog::tr("&Watch"), QMessageBox::AcceptRole);
    QPushButton* joins = question->addButton(
        AttachDialog::tr("&Join with %Ln clients", nullptr, place.clients), QMessageBox::ActionRole);
    question->setEscapeButton(question->addButton(QMessageBox::Cancel));
    question->setDefaultButton(watches);
    QObject::connect(watches, &QPushButton::clicked, parent, [watch = std::move(watch)] { watch(); });
    QObject::connect(joins, &QPushButton::clicked, parent, [join = std::move(join)] { join(); });
    question->open();
}

AttachDialog::AttachDialog(const QList<AttachTarget>& recent, const AttachTarget& last, const Theme* theme,
                           QWidget* parent)
    : QDialog(parent)
    , m_servers(addLine(QStringLiteral("attachServers"), QStringLiteral("127.0.0.1:2181"),
                        tr("HOST:PORT of the ZooKeeper server. Separate several servers by commas; a chroot "
                           "may follow the last one.")))
    , m_path(addLine(
          QStringLiteral("attachPath"), QStringLiteral("/locks/orders"),
          tr("The path that the programs use for their lock. For watching, also a folder of locks, or "
             "several paths separated by commas.")))
    , m_watches(new QRadioButton(tr("Only &watch the lock"), this))
    , m_joins(new QRadioButton(tr("&Join the queue with this many clients:"), this))
    , m_clients(new QSpinBox(this))
    , m_note(new QLabel(this))
    , m_error(new QLabel(this))
{
    setObjectName("attachDialog");
    setWindowTitle(tr("Attach to a Lock"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* form = new QFormLayout;
    addRecent(form, recent);
    form->addRow(tr("ZooKeeper &address"), m_servers);
    form->addRow(tr("Lock &path"), m_path);
    addModeChoice(form);
    for (QLabel* label : {m_note, m_error}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    m_note->setObjectName("attachNote");
    m_error->setObjectName("attachFault");
    setTextColour(m_error, theme->palette().staleText);
    m_error->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    //: a button: connects and shows another program's lock
    labelPrimaryButton(buttons, tr("Attach"));
    connect(buttons, &QDialogButtonBox::accepted, this, &AttachDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    setDialogMargins(column);
    column->addLayout(form);
    column->addWidget(m_note);
    column->addWidget(m_error);
    column->addWidget(buttons);
    setMinimumWidth(560);
    m_watches->setChecked(true); // the default, whatever was chosen the last time
    fill(last);
    m_servers->setFocus();
}

QLineEdit* AttachDialog::addLine(const QString& name, const QString& example, const QString& explanation)
{
    auto* line = new QLineEdit(this);
    line->setObjectName(name);
    line->setPlaceholderText(example);
    line->setToolTip(explanation);
    line->setAccessibleDescription(explanation);
    return line;
}

void AttachDialog::addRecent(QFormLayout* form, const QList<AttachTarget>& recent)
{
    if (recent.isEmpty()) {
        return;
    }
    auto* chooser = new QComboBox(this);
    chooser->setObjectName("attachRecent");
    chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (const AttachTarget& place : recent) {
        chooser->addItem(place.words());
    }
    chooser->setCurrentIndex(-1);
    chooser->setPlaceholderText(tr("Choose one"));
    connect(chooser, &QComboBox::activated, this, [this, recent](int index) {
        AttachTarget place = recent.value(index);
        place.clients = m_clients->value();
        fill(place);
    });
    form->addRow(tr("&Recent locks"), chooser);
}

void AttachDialog::addModeChoice(QFormLayout* form)
{
    m_joins->setObjectName("attachJoins");
    m_watches->setObjectName("attachWatches");
    m_clients->setObjectName("attachClients");
    m_clients->setRange(1, kMaxJoiningClients);
    m_clients->setAccessibleName(tr("Number of clients that join"));
    auto* joining = new QHBoxLayout;
    joining->addWidget(m_joins);
    joining->addWidget(m_clients);
    joining->addStretch(1);
    form->addRow(m_watches);
    form->addRow(joining);
    connect(m_joins, &QRadioButton::toggled, this, &AttachDialog::updateNote);
}

void AttachDialog::fill(const AttachTarget& place)
{
    m_servers->setText(place.servers);
    m_path->setText(place.path);
    m_clients->setValue(place.clients > 0 ? place.clients : kDefaultJoiningClients);
    updateNote();
}

void AttachDialog::updateNote()
{
    const bool joins = m_joins->isChecked();
    m_clients->setEnabled(joins);
    m_note->setText(
        joins ? tr("LockScope's clients join this lock: they queue, hold it briefly and queue "
                   "again until you end the run. The programs that use the lock wait for "
                   "them in turn. If nodes of other programs are there now, you are told whose, and asked "
                   "again.")
              : tr("No client joins and nothing is changed: one session reads the nodes and watches "
                   "them. For a folder, all locks below it are shown; separate several paths by "
                   "commas."));
}

bool AttachDialog::showError(QLineEdit* line, const InputError& fault)
{
    if (fault.text.isEmpty()) {
        return false;
    }
    m_error->setText(fault.text);
    m_error->show();
    line->setFocus();
    line->setSelection(fault.at, fault.length);
    return true;
}

void AttachDialog::accept()
{
    for (QLineEdit* line : {m_servers, m_path}) {
        line->setText(line->text().trimmed()); // so that errors are marked at the right position
    }
    AttachTarget place{m_servers->text(), m_path->text(), m_joins->isChecked() ? m_clients->value() : 0};
    const bool joins = place.clients > 0;
    if (showError(m_servers, serversError(place.servers, joins ? Chroot::refused : Chroot::permitted)) ||
        showError(m_path, joins ? pathError(place.path) : watchedPathsError(place.path))) {
        return;
    }
    const auto chroot = place.servers.indexOf(u'/'); // a chroot may contain blanks, the addresses may not
    place.servers =
        place.servers.left(chroot).remove(u' ') + (chroot < 0 ? QString() : place.servers.mid(chroot));
    if (joins) {
        return confirmJoin(this, place, [this, place] { choose(place); });
    }
    choose(place);
}

void AttachDialog::choose(const AttachTarget& place)
{
    emit chosen(place);
    QDialog::accept();
}

} // namespace lockscope::ui

#include "moc_attach_dialog.cpp"
