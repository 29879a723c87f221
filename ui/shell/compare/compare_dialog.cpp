#include "ui/shell/compare/compare_dialog.h"

#include "ui/models/style/format.h"
#include "ui/texts/core_messages.h"
#include "ui/widgets/panel_parts.h"

#include <QComboBox>
#include <QFileInfo>
#include <QSpinBox>

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

CompareDialog::CompareDialog(CompareSource present, const Theme* theme, QWidget* parent)
    : FormDialog(QStringLiteral("compare"), tr("Compare Two Runs"),
                 //: a button, a verb: starts the comparison
                 tr("Compare"), theme, parent)
    , m_currentRun(std::move(present))
    , m_a(addChooser(tr("&First"), "compareA"))
    , m_b(addChooser(tr("S&econd"), "compareB"))
    , m_clients(addChange(tr("&Clients"), "compareClients", static_cast<int>(sim::kMaxClients)))
    , m_cycles(addChange(tr("C&ycles of each"), "compareCycles", kMaxCycles))
    , m_seed(addChange(tr("&Seed"), "compareSeed", std::numeric_limits<int>::max()))
{
    choose(m_a, m_currentRun.store ? kCurrentRun : QStringLiteral("herd"));
    choose(m_b, QStringLiteral("chain"));
    setNote(tr("Scenarios run one after the other, with the same changes. A trace stays as it is."));
}

QComboBox* CompareDialog::addChooser(const QString& label, const char* name)
{
    auto* chooser = named(new QComboBox(this), name);
    chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    chooser->setMinimumContentsLength(28);
    if (m_currentRun.store) {
        chooser->addItem(tr("Current run: %1").arg(m_currentRun.label), kCurrentRun);
    }
    for (const sim::BuiltIn& builtIn : sim::builtIns()) {
        const QString input = QString::fromUtf8(builtIn.name);
        chooser->addItem(input, input);
    }
    addFileRow(label, chooser, tr("Selects a scenario (.toml) or a trace (.jsonl)."),
               {.title = tr("Open a Scenario or a Trace"),
                .filters = {tr("Scenarios and traces (*.toml *.jsonl)")},
                .mode = FileQuestion::Mode::open},
               [chooser](const QString& path) {
                   if (chooser->findData(path) < 0) {
                       chooser->addItem(format::plain(QFileInfo(path).fileName().toStdString()), path);
                   }
                   choose(chooser, path);
               });
    return chooser;
}

// The minimum, 0, keeps the scenario's own value.
QSpinBox* CompareDialog::addChange(const QString& label, const char* name, int most)
{
    QSpinBox* box = addNumber(label, name, 0, most, 0);
    box->setSpecialValueText(tr("As in the scenario"));
    return box;
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
        showError(errorText((a ? b : a).error()).all(), nullptr);
        return;
    }
    emit chosen({*a, *b});
    QDialog::accept();
}

} // namespace lockscope::ui

#include "moc_compare_dialog.cpp"
