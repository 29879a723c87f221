#include "ui/shell/dialogs/attach_dialog.h"

#include "ui/texts/core_messages.h"
#include "ui/widgets/panel_parts.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>

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
    : FormDialog(QStringLiteral("attach"), tr("Look at a Lock"), tr("Watch"), theme, parent)
    , m_servers(addLine("attachServers", QStringLiteral("127.0.0.1:2181"),
                        tr("HOST:PORT of the ZooKeeper server. Separate several servers by commas; a chroot "
                           "may follow the last one.")))
    , m_path(addLine(
          "attachPath", QStringLiteral("/locks/orders"),
          tr("The path that the programs use for their lock. For watching, also a folder of locks, or "
             "several paths separated by commas.")))
    , m_secured(named(new QCheckBox(tr("Secured by &TLS"), this), "attachSecured"))
    , m_ca(addLine("attachCa", tr("those of this system"),
                   tr("A file (PEM) with the certificates of the authorities to trust: --ca on the command "
                      "line.")))
    , m_certificate(addLine("attachCertificate", tr("none"),
                            tr("A file (PEM) with our certificate, where servers demand one of their "
                               "clients: --cert on the command line.")))
    , m_key(addLine("attachKey", tr("in the same file"),
                    tr("A file (PEM) with the key of our certificate, not encrypted: --key on the command "
                       "line. Only the names of these files are remembered.")))
    , m_sasl(named(new QComboBox(this), "attachSasl"))
    , m_saslFile(addLine("attachSaslFile", tr("first line: USER:PASSWORD"),
                         tr("A file whose first line is USER:PASSWORD: --sasl-file on the command line. Only "
                            "its name is remembered.")))
    , m_saslService(addLine("attachSaslService", QString::fromStdString(zk::wire::SaslOptions().service),
                            tr("The first part of the servers' principals SERVICE/HOST@REALM. The ticket is "
                               "the one that kinit got.")))
    , m_watches(new QRadioButton(tr("Only &watch the lock"), this))
    , m_joins(new QRadioButton(tr("&Join the queue with this many clients:"), this))
    , m_clients(new QSpinBox(this))
{
    addRecent(recent);
    form()->addRow(tr("ZooKeeper &address"), m_servers);
    form()->addRow(tr("Lock &path"), m_path);
    addSecurity();
    addSasl();
    addModeChoice();
    m_watches->setChecked(true); // the default, whatever was chosen the last time
    fill(last);
    m_servers->setFocus();
}

QLineEdit* AttachDialog::addLine(const char* name, const QString& example, const QString& explanation)
{
    auto* line = named(new QLineEdit(this), name);
    line->setPlaceholderText(example);
    line->setToolTip(explanation);
    line->setAccessibleDescription(explanation);
    return line;
}

void AttachDialog::addRecent(const QList<AttachTarget>& recent)
{
    if (recent.isEmpty()) {
        return;
    }
    auto* chooser = named(new QComboBox(this), "attachRecent");
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
    form()->addRow(tr("&Recent locks"), chooser);
}

// The scheme before the addresses says the same as the box.
void AttachDialog::addSecurity()
{
    form()->addRow(m_secured);
    const auto addFile = [this](const QString& label, QLineEdit* line) {
        QHBoxLayout* row = addFileRow(
            label, line, line->toolTip(),
            {.title = tr("Choose a File in PEM"),
             .folder = QFileInfo(line->text()).path(),
             .filters = {tr("Certificates and keys (*.pem *.crt *.cer *.key)"), tr("All files (*)")},
             .mode = FileQuestion::Mode::open},
            [line](const QString& path) { line->setText(path); });
        form()->setRowVisible(row, false);
        connect(m_secured, &QCheckBox::toggled, this,
                [this, row](bool secured) { form()->setRowVisible(row, secured); });
    };
    addFile(tr("&Certificate authorities"), m_ca);
    addFile(tr("&Our certificate"), m_certificate);
    addFile(tr("Its &key"), m_key);
    connect(m_secured, &QCheckBox::toggled, this, [this](bool secured) {
        if (!secured && m_servers->text().startsWith(kTlsScheme))
            m_servers->setText(m_servers->text().mid(kTlsScheme.size()));
        shrinkToFit();
    });
    connect(m_servers, &QLineEdit::textChanged, this, [this](const QString& typed) {
        if (typed.startsWith(kTlsScheme))
            m_secured->setChecked(true);
    });
}

void AttachDialog::addSasl()
{
    m_sasl->addItem(tr("none"));
    for (const zk::wire::SaslMechanismName& one : zk::wire::saslMechanisms())
        m_sasl->addItem(QString::fromLatin1(one.name));
    //: SASL: how a client proves who it is
    form()->addRow(tr("&SASL"), m_sasl);
    QHBoxLayout* file = addFileRow(tr("&User and password"), m_saslFile, m_saslFile->toolTip(),
                                   {.title = tr("Choose a File with USER:PASSWORD"),
                                    .folder = QFileInfo(m_saslFile->text()).path(),
                                    .filters = {tr("All files (*)")},
                                    .mode = FileQuestion::Mode::open},
                                   [this](const QString& path) { m_saslFile->setText(path); });
    form()->addRow(tr("Kerberos ser&vice"), m_saslService);
    const auto show = [this, file] {
        const auto mechanism = chosenSasl().mechanism;
        form()->setRowVisible(file, mechanism == zk::wire::SaslMechanism::digestMd5);
        form()->setRowVisible(m_saslService, mechanism == zk::wire::SaslMechanism::gssapi);
    };
    show();
    connect(m_sasl, &QComboBox::currentIndexChanged, this, [this, show] {
        show();
        shrinkToFit();
    });
}

zk::wire::SaslOptions AttachDialog::chosenSasl() const
{
    const int chosen = m_sasl->currentIndex();
    if (chosen <= 0)
        return {};
    const auto mechanism = zk::wire::saslMechanisms()[static_cast<std::size_t>(chosen - 1)].mechanism;
    if (mechanism == zk::wire::SaslMechanism::digestMd5)
        return {.mechanism = mechanism, .file = m_saslFile->text().toStdString()};
    const QString service =
        m_saslService->text().isEmpty() ? m_saslService->placeholderText() : m_saslService->text();
    return {.mechanism = mechanism, .service = service.toStdString()};
}

void AttachDialog::addModeChoice()
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
    form()->addRow(m_watches);
    form()->addRow(joining);
    connect(m_joins, &QRadioButton::toggled, this, &AttachDialog::updateNote);
}

void AttachDialog::fill(const AttachTarget& place)
{
    m_secured->setChecked(false);
    m_servers->setText(place.servers);
    m_path->setText(place.path);
    m_ca->setText(QString::fromStdString(place.tls.ca));
    m_certificate->setText(QString::fromStdString(place.tls.certificate));
    m_key->setText(QString::fromStdString(place.tls.key));
    m_sasl->setCurrentIndex(0);
    for (int i = 1; i < m_sasl->count() && place.sasl.mechanism; ++i)
        if (m_sasl->itemText(i) == QLatin1String(zk::wire::nameOf(*place.sasl.mechanism).name))
            m_sasl->setCurrentIndex(i);
    m_saslFile->setText(QString::fromStdString(place.sasl.file));
    m_saslService->setText(QString::fromStdString(place.sasl.service));
    m_clients->setValue(place.clients > 0 ? place.clients : kDefaultJoiningClients);
    updateNote();
}

void AttachDialog::updateNote()
{
    const bool joins = m_joins->isChecked();
    m_clients->setEnabled(joins);
    //: a button: LockScope's clients join the queue of another program's lock
    setYes(joins ? tr("Join…")
                 //: a button: connects and shows another program's lock
                 : tr("Watch"));
    setNote(joins
                ? tr("LockScope's clients join this lock: they queue, hold it briefly and queue "
                     "again until you end the run. The programs that use the lock wait for "
                     "them in turn. If nodes of other programs are there now, you are told whose, and asked "
                     "again.")
                : tr("No client joins and nothing is changed: one session reads the nodes and watches "
                     "them. For a folder, all locks below it are shown; separate several paths by "
                     "commas."));
}

bool AttachDialog::isWrong(QLineEdit* line, const InputError& fault)
{
    if (fault.text.isEmpty()) {
        return false;
    }
    showError(fault.text, line);
    line->setSelection(fault.at, fault.length);
    return true;
}

// The sentence names the file that it is about.
bool AttachDialog::isUnusable(const tls::Options& files)
{
    const Result<tls::ContextPtr> usable = tls::load(files);
    if (usable) {
        return false;
    }
    const QString sentence = errorText(usable.error()).all();
    QLineEdit* about = m_ca;
    for (QLineEdit* line : {m_certificate, m_key}) {
        if (!line->text().isEmpty() && sentence.contains(line->text())) {
            about = line;
        }
    }
    showError(sentence, about);
    about->selectAll();
    return true;
}

bool AttachDialog::isUnusable(const AttachTarget& place)
{
    if (place.sasl.mechanism && place.clients > 0) {
        showError(tr("Clients that join use ZooKeeper's C client library, which has no SASL. Only watch the "
                     "lock, or use TLS with a certificate of yours."),
                  m_sasl);
        return true;
    }
    const Result<void> usable = zk::wire::checkSasl(place.sasl);
    if (!usable)
        showError(errorText(usable.error()).all(), m_saslFile);
    return !usable;
}

void AttachDialog::accept()
{
    for (QLineEdit* line : {m_servers, m_path}) {
        line->setText(line->text().trimmed()); // so that errors are marked at the right position
    }
    for (QLineEdit* line : {m_ca, m_certificate, m_key, m_saslFile}) {
        const QString file = line->text().trimmed(); // remembered: another start may be in another folder
        line->setText(file.isEmpty() ? file : QFileInfo(file).absoluteFilePath());
    }
    AttachTarget place{m_servers->text(), m_path->text(), m_joins->isChecked() ? m_clients->value() : 0};
    place.sasl = chosenSasl();
    const bool joins = place.clients > 0;
    if (isWrong(m_servers, serversError(place.servers, joins ? Chroot::refused : Chroot::permitted)) ||
        isWrong(m_path, joins ? pathError(place.path) : watchedPathsError(place.path))) {
        return;
    }
    if (m_secured->isChecked()) {
        if (!place.servers.startsWith(kTlsScheme)) {
            place.servers.prepend(kTlsScheme);
        }
        place.tls = {.ca = m_ca->text().toStdString(),
                     .certificate = m_certificate->text().toStdString(),
                     .key = m_key->text().toStdString()};
        if (isUnusable(place.tls)) {
            return;
        }
    }
    if (isUnusable(place)) {
        return;
    }
    const auto addresses = place.secured() ? kTlsScheme.size() : 0;
    // A chroot may contain blanks, the addresses may not.
    const auto chroot = place.servers.indexOf(u'/', addresses);
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
