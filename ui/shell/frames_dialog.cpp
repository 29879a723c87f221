#include "ui/shell/frames_dialog.h"

#include "ui/shell/dialog_parts.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

#include <cmath>

namespace lockscope::ui {

namespace {
constexpr double kSecond = 1e9;
constexpr double kLongest = 1e6; // seconds
constexpr int kMostPerSecond = 60;
constexpr int kUsual = 10;
}

FramesDialog::FramesDialog(const QList<QPair<QString, QWidget*>>& widgets, TraceTime begin, TraceTime end,
                           const QString& folder, QWidget* parent)
    : QDialog(parent)
    , m_widget(new QComboBox(this))
    , m_begin(addTime(QStringLiteral("framesBegin"), begin))
    , m_end(addTime(QStringLiteral("framesEnd"), end))
    , m_perSecond(new QSpinBox(this))
    , m_folder(new QLineEdit(folder, this))
    , m_note(new QLabel(this))
{
    setObjectName("framesDialog");
    setWindowTitle(tr("Numbered pictures"));
    setAttribute(Qt::WA_DeleteOnClose);
    for (const auto& [title, widget] : widgets) {
        m_widget->addItem(title, QVariant::fromValue(widget));
    }
    m_perSecond->setRange(1, kMostPerSecond);
    m_perSecond->setValue(kUsual);
    m_folder->setObjectName("framesFolder");
    m_note->setWordWrap(true);
    auto* browse = new QPushButton(tr("Folder…"), this);
    auto* place = new QHBoxLayout;
    place->addWidget(m_folder, 1);
    place->addWidget(browse);
    connect(browse, &QPushButton::clicked, this, [this] {
        auto* dialog = new QFileDialog(this, tr("Where the pictures go"), m_folder->text());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::Directory);
        connect(dialog, &QFileDialog::fileSelected, m_folder, &QLineEdit::setText);
        dialog->open();
    });
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_ok = nameMainButton(buttons, tr("Make pictures"));
    connect(buttons, &QDialogButtonBox::accepted, this, &FramesDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto* form = new QFormLayout(this);
    setDialogMargins(form);
    form->addRow(tr("Pictures &of"), m_widget);
    form->addRow(tr("&From"), m_begin);
    form->addRow(tr("&To"), m_end);
    form->addRow(tr("Pictures a &second of the run"), m_perSecond);
    auto* placeLabel = new QLabel(tr("F&older"), this);
    placeLabel->setBuddy(m_folder); // a layout has none
    form->addRow(placeLabel, place);
    form->addRow(m_note);
    form->addRow(buttons);
    setMinimumWidth(520);
    connect(m_begin, &QDoubleSpinBox::valueChanged, this, &FramesDialog::tell);
    connect(m_end, &QDoubleSpinBox::valueChanged, this, &FramesDialog::tell);
    connect(m_perSecond, &QSpinBox::valueChanged, this, &FramesDialog::tell);
    connect(m_folder, &QLineEdit::textChanged, this, &FramesDialog::tell);
    tell();
}

QDoubleSpinBox* FramesDialog::addTime(const QString& name, TraceTime value)
{
    auto* box = new QDoubleSpinBox(this);
    box->setObjectName(name);
    box->setRange(0, kLongest);
    box->setDecimals(3);
    box->setSuffix(tr(" s"));
    box->setValue(static_cast<double>(value.count()) / kSecond);
    return box;
}

FramePlan FramesDialog::plan() const
{
    const auto time = [](const QDoubleSpinBox* box) { return Duration(std::llround(box->value() * kSecond)); };
    return {m_widget->currentData().value<QWidget*>(), time(m_begin), time(m_end), m_perSecond->value(),
            m_folder->text().trimmed()};
}

void FramesDialog::tell()
{
    const FramePlan plan = this->plan();
    const int count = plan.count();
    QString words = count == 0 ? tr("The end lies before the beginning.")
                               : tr("%n picture(s), frame-0001.png and so on, and a text file with the command that "
                                    "makes a film or an animated GIF of them.",
                                    nullptr, count);
    if (count == FramePlan::kMost) {
        words += u' ' + tr("More than these are not made at once.");
    }
    m_note->setText(words);
    m_ok->setEnabled(count > 0 && !plan.folder.isEmpty());
}

void FramesDialog::accept()
{
    emit chosen(plan());
    QDialog::accept();
}

} // namespace lockscope::ui
