#include "ui/shell/dialogs/form_dialog.h"

#include "ui/models/style/format.h"
#include "ui/models/style/theme.h"
#include "ui/shell/dialogs/dialog_parts.h"
#include "ui/widgets/panel_parts.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <utility>

namespace lockscope::ui {

namespace {
constexpr int kFormWidth = 560;
}

FormDialog::FormDialog(const QString& name, const QString& title, const QString& yes, const Theme* theme,
                       QWidget* parent)
    : QDialog(parent)
    , m_form(new QFormLayout)
    , m_note(new QLabel(this))
    , m_error(new QLabel(this))
{
    setObjectName(name + QStringLiteral("Dialog"));
    setWindowTitle(title);
    setAttribute(Qt::WA_DeleteOnClose);
    for (QLabel* label : {m_note, m_error}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    m_note->setObjectName(name + QStringLiteral("Note"));
    m_error->setObjectName(name + QStringLiteral("Fault"));
    setTextColour(m_error, theme->palette().staleText);
    m_error->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_yes = labelPrimaryButton(buttons, yes);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    setDialogMargins(column);
    column->addLayout(m_form);
    column->addWidget(m_note);
    column->addWidget(m_error);
    column->addWidget(buttons);
    setMinimumWidth(kFormWidth);
}

void FormDialog::setNote(const QString& text) { m_note->setText(text); }

void FormDialog::setYes(const QString& text) { m_yes->setText(text); }

void FormDialog::shrinkToFit()
{
    layout()->activate();
    resize(width(), layout()->totalHeightForWidth(width()));
}

void FormDialog::showError(const QString& text, QWidget* field)
{
    m_error->setText(text);
    m_error->show();
    if (field)
        field->setFocus();
}

QSpinBox* FormDialog::addNumber(const QString& label, const char* name, int least, int most, int value)
{
    auto* box = named(new QSpinBox(this), name);
    box->setRange(least, most);
    box->setValue(value);
    box->setAccessibleName(format::withoutMnemonic(label));
    m_form->addRow(label, box);
    return box;
}

QHBoxLayout* FormDialog::addFileRow(const QString& label, QWidget* field, const QString& tip,
                                    const FileQuestion& question,
                                    std::function<void(const QString& path)> chosen)
{
    const bool isFolder = question.mode == FileQuestion::Mode::folder;
    auto* button = new QPushButton(isFolder ? tr("Folder…") : tr("File…"), this);
    button->setToolTip(tip);
    button->setAccessibleName(isFolder ? tr("Choose a folder") : tr("Choose a file"));
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this,
            [this, question, chosen = std::move(chosen)] { askForFile(question, this, chosen); });
    auto* row = new QHBoxLayout;
    row->addWidget(field, 1);
    row->addWidget(button);
    m_form->addRow(label, row);
    qobject_cast<QLabel*>(m_form->labelForField(row))->setBuddy(field);
    field->setAccessibleName(format::withoutMnemonic(label));
    return row;
}

} // namespace lockscope::ui

#include "moc_form_dialog.cpp"
