#include "ui/shell/compare/compare_dialog.h"

#include "ui/models/style/format.h"
#include "ui/shell/dialogs/dialog_parts.h"
#include "ui/texts/core_messages.h"
#include "ui/widgets/ask_for_file.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <limits>

namespace lockscope::ui {

namespace {

constexpr int kMaxCycles = 1'000'000;
const QString kCurrentRun = QStringLiteral("\n"); // no file and no built-in has this name

void choose(QComboBox* chooser, const QString& input)
{
    if (const int index = chooser->findData(input); index >= 0) {
        chooser->setCurrentIndex(index);
    }
}

} // namespace

CompareDialog::CompareDialog(CompareSource present, QWidget* parent)
    : QDialog(parent)
    , m_currentRun(std::move(present))
    , m_error(new QLabel(this))
{
    setObjectName("compareDialog");
    setWindowTitle(tr("Compare Two Runs"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* form = new QFormLayout;
    m_a = addChooser(form, tr("&First"), QStringLiteral("compareA"));
    m_b = addChooser(form, tr("S&econd"), QStringLiteral("compareB"));
    m_clients =
        addNumber(form, tr("&Clients"), QStringLiteral("compareClients"), static_cast<int>(sim::kMaxClients));
    m_cycles = addNumber(form, tr("C&ycles of each"), QStringLiteral("compareCycles"), kMaxCycles);
    m_seed = addNumber(form, tr("&Seed"), QStringLiteral("compareSeed"), std::numeric_limits<int>::max());
    choose(m_a, m_currentRun.store ? kCurrentRun : QStringLiteral("herd"));
    choose(m_b, QStringLiteral("chain"));

    auto* note = new QLabel(
        tr("Scenarios run one after the other, with the same changes. A trace stays as it is."), this);
    note->setWordWrap(true);
    m_error->setObjectName("compareFault");
    m_error->setTextFormat(Qt::PlainText);
    m_error->setWordWrap(true);
    m_error->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    //: a button, a verb: starts the comparison
    labelPrimaryButton(buttons, tr("Compare"));
    connect(buttons, &QDialogButtonBox::accepted, this, &CompareDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    setDialogMargins(column);
    column->addLayout(form);
    column->addWidget(note);
    column->addWidget(m_error);
    column->addWidget(buttons);
    setMinimumWidth(520);
}

QComboBox* CompareDialog::addChooser(QFormLayout* form, const QString& label, const QString& name)
{
    auto* chooser = new QComboBox(this);
    chooser->setObjectName(name);
    chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    chooser->setMinimumContentsLength(28);
    if (m_currentRun.store) {
        chooser->addItem(tr("Current run: %1").arg(m_currentRun.label), kCurrentRun);
    }
    for (const sim::BuiltIn& builtIn : sim::builtIns()) {
        const QString input = QString::fromUtf8(builtIn.name);
        chooser->addItem(input, input);
    }
    auto* file = new QPushButton(tr("File…"), this);
    file->setToolTip(tr("Selects a scenario (.toml) or a trace (.jsonl)."));
    file->setAccessibleName(tr("Choose a file"));
    file->setAutoDefault(false);
    connect(file, &QPushButton::clicked, this, [this, chooser] { askForFile(chooser); });
    auto* row = new QHBoxLayout;
    row->addWidget(chooser, 1);
    row->addWidget(file);
    form->addRow(label, row);
    auto* words = qobject_cast<QLabel*>(form->labelForField(row));
    words->setBuddy(chooser);
    chooser->setAccessibleName(format::withoutMnemonic(label));
    return chooser;
}

// The minimum, 0, keeps the scenario's own value.
QSpinBox* CompareDialog::addNumber(QFormLayout* form, const QString& label, const QString& name, int most)
{
    auto* box = new QSpinBox(this);
    box->setObjectName(name);
    box->setRange(0, most);
    box->setSpecialValueText(tr("As in the scenario"));
    box->setAccessibleName(format::withoutMnemonic(label));
    form->addRow(label, box);
    return box;
}

void CompareDialog::askForFile(QComboBox* chooser)
{
    ui::askForFile({.title = tr("Open a Scenario or a Trace"),
                    .filters = {tr("Scenarios and traces (*.toml *.jsonl)")},
                    .mode = FileQuestion::Mode::open},
                   this, [chooser](const QString& path) {
                       if (chooser->findData(path) < 0) {
                           chooser->addItem(format::plain(QFileInfo(path).fileName().toStdString()), path);
                       }
                       choose(chooser, path);
                   });
}

Result<CompareSource> CompareDialog::sourceOf(const QComboBox* chooser) const
{
    const QString input = chooser->currentData().toString();
    if (input == kCurrentRun) {
        return m_currentRun;
    }
    Result<CompareSource> source = compareSource(input);
    if (!source || !source->scenario) {
        return source;
    }
    sim::Scenario& scenario = *source->scenario;
    if (m_clients->value() > 0) {
        sim::setClientCount(scenario, static_cast<std::uint32_t>(m_clients->value()));
    }
    if (m_cycles->value() > 0) {
        sim::forEachWork(scenario, [this](sim::Work& work) {
            work.cycles = static_cast<std::uint32_t>(m_cycles->value());
        });
    }
    if (m_seed->value() > 0) {
        scenario.seed = static_cast<std::uint64_t>(m_seed->value());
    }
    if (const Result<void> valid = sim::validate(scenario); !valid) {
        return valid.error();
    }
    return source;
}

void CompareDialog::accept()
{
    const Result<CompareSource> a = sourceOf(m_a);
    const Result<CompareSource> b = sourceOf(m_b);
    if (!a || !b) {
        m_error->setText(errorText((a ? b : a).error()).all());
        m_error->show();
        return;
    }
    emit chosen({*a, *b});
    QDialog::accept();
}

} // namespace lockscope::ui

#include "moc_compare_dialog.cpp"
