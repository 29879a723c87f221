#include "ui/shell/dialogs/frames_dialog.h"

#include "ui/models/style/format.h"
#include "ui/shell/dialogs/dialog_parts.h"
#include "ui/shell/export/gif_file.h"
#include "ui/shell/runbar/playback.h"
#include "ui/widgets/ask_for_file.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {
constexpr double kNanosecondsPerSecond = 1e9;
constexpr double kMaxSeconds = 1e6;
constexpr int kMaxPerSecond = 60;
constexpr int kDefaultPerSecond = 10;
const QString kGifSuffix = QStringLiteral(".gif");
} // namespace

FramesDialog::FramesDialog(Form form, const QList<QPair<QString, QWidget*>>& widgets, TraceTime begin,
                           TraceTime end, double speed, const QString& place, QWidget* parent)
    : QDialog(parent)
    , m_form(form)
    , m_widget(new QComboBox(this))
    , m_begin(addTime(QStringLiteral("framesBegin"), begin))
    , m_end(addTime(QStringLiteral("framesEnd"), end))
    , m_perSecond(new QSpinBox(this))
    , m_speed(new QComboBox(this))
    , m_place(new QLineEdit(place, this))
    , m_note(new QLabel(this))
{
    setObjectName("framesDialog");
    const bool animated = form == Form::animation;
    setWindowTitle(animated ? tr("Animated GIF") : tr("Numbered Pictures"));
    setAttribute(Qt::WA_DeleteOnClose);
    for (const auto& [title, widget] : widgets) {
        m_widget->addItem(title, QVariant::fromValue(widget));
    }
    m_perSecond->setRange(1, animated ? GifFile::kMaxPerSecond : kMaxPerSecond);
    m_perSecond->setValue(kDefaultPerSecond);
    fillSpeeds(speed);
    m_place->setObjectName(animated ? "framesFile" : "framesFolder");
    m_note->setWordWrap(true);
    auto* browse = new QPushButton(animated ? tr("File…") : tr("Folder…"), this);
    auto* places = new QHBoxLayout;
    places->addWidget(m_place, 1);
    places->addWidget(browse);
    connect(browse, &QPushButton::clicked, this, &FramesDialog::browse);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_ok = labelPrimaryButton(buttons, animated ? tr("Create GIF") : tr("Create Pictures"));
    connect(buttons, &QDialogButtonBox::accepted, this, &FramesDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto* rows = new QFormLayout(this);
    setDialogMargins(rows);
    rows->addRow(tr("Pictures &of"), m_widget);
    rows->addRow(tr("&From"), m_begin);
    rows->addRow(tr("&To"), m_end);
    rows->addRow(tr("S&peed"), m_speed);
    rows->addRow(tr("Pictures per &second"), m_perSecond);
    auto* placeLabel = new QLabel(animated ? tr("F&ile") : tr("F&older"), this);
    placeLabel->setBuddy(m_place); // a row that holds a layout sets no buddy
    rows->addRow(placeLabel, places);
    rows->addRow(m_note);
    rows->addRow(buttons);
    setMinimumWidth(520);
    connect(m_begin, &QDoubleSpinBox::valueChanged, this, &FramesDialog::updateNote);
    connect(m_end, &QDoubleSpinBox::valueChanged, this, &FramesDialog::updateNote);
    connect(m_perSecond, &QSpinBox::valueChanged, this, &FramesDialog::updateNote);
    connect(m_speed, &QComboBox::currentIndexChanged, this, &FramesDialog::updateNote);
    connect(m_place, &QLineEdit::textChanged, this, &FramesDialog::updateNote);
    updateNote();
}

void FramesDialog::fillSpeeds(double speed)
{
    m_speed->setObjectName("framesSpeed");
    m_speed->setToolTip(tr("Speed of the film, relative to the run."));
    for (const double each : Playback::kSpeeds) {
        m_speed->addItem(Playback::words(each), each);
    }
    m_speed->setCurrentIndex(std::max(0, m_speed->findData(speed)));
}

QDoubleSpinBox* FramesDialog::addTime(const QString& name, TraceTime value)
{
    auto* box = new QDoubleSpinBox(this);
    box->setObjectName(name);
    box->setRange(0, kMaxSeconds);
    box->setDecimals(3);
    box->setSuffix(tr(" s"));
    box->setValue(static_cast<double>(value.count()) / kNanosecondsPerSecond);
    return box;
}

FramePlan FramesDialog::plan() const
{
    const auto time = [](const QDoubleSpinBox* box) {
        return Duration(std::llround(box->value() * kNanosecondsPerSecond));
    };
    FramePlan plan{
        m_widget->currentData().value<QWidget*>(), time(m_begin), time(m_end), m_perSecond->value(), {}};
    plan.speed = m_speed->currentData().toDouble();
    const QString place = m_place->text().trimmed();
    if (m_form == Form::numbered) {
        plan.folder = place;
    } else if (!place.isEmpty()) {
        plan.gif = place.endsWith(kGifSuffix, Qt::CaseInsensitive) ? place : place + kGifSuffix;
    }
    return plan;
}

void FramesDialog::browse()
{
    const QString place = m_place->text();
    FileQuestion question{
        .title = tr("Save the Pictures to a Folder"), .folder = place, .mode = FileQuestion::Mode::folder};
    if (m_form == Form::animation)
        question = {.title = tr("Save the GIF"),
                    .folder = QFileInfo(place).path(),
                    .filters = {tr("Animated GIFs (*.gif)")},
                    .suffix = kGifSuffix.mid(1),
                    .name = QFileInfo(place).fileName()};
    askForFile(question, this, [this](const QString& chosen) { m_place->setText(chosen); });
}

QString FramesDialog::textFor(const FramePlan& plan) const
{
    const int count = plan.count();
    if (count == 0) {
        return tr("The end is before the beginning. Enter a later end.");
    }
    if (m_form == Form::numbered) {
        return tr(
            "%Ln picture(s), frame-0001.png and so on, and a text file with the command that turns them "
            "into a "
            "film.",
            nullptr, count);
    }
    const Duration round = std::chrono::milliseconds(1000 * count / plan.perSecond);
    QString words =
        tr("%Ln picture(s) in one file that repeats every %1.", nullptr, count).arg(format::duration(round));
    if (plan.animated() && QFileInfo::exists(plan.gif)) {
        words += u' ' + tr("The file exists and will be replaced.");
    }
    return words;
}

void FramesDialog::updateNote()
{
    const FramePlan plan = this->plan();
    const int count = plan.count();
    QString words = textFor(plan);
    if (count == FramePlan::kMaxFrames) {
        words += u' ' + tr("This is the maximum.");
    }
    m_note->setText(words);
    m_ok->setEnabled(count > 0 && (plan.animated() || !plan.folder.isEmpty()));
}

void FramesDialog::accept()
{
    emit chosen(plan());
    QDialog::accept();
}

} // namespace lockscope::ui

#include "moc_frames_dialog.cpp"
