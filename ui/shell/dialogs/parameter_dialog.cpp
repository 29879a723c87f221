#include "ui/shell/dialogs/parameter_dialog.h"

#include "ui/models/style/format.h"
#include "ui/shell/dialogs/dialog_parts.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace lockscope::ui {

namespace {
constexpr int kTextWidth = 340;
}

ParameterDialog::ParameterDialog(const CommandState& words, const std::vector<Parameter>& parameters,
                                 QWidget* parent)
    : QDialog(parent)
{
    setObjectName("whatIfDialog");
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(format::withoutMnemonic(words.text).remove(u'…'));

    auto* column = new QVBoxLayout(this);
    setDialogMargins(column);
    auto* text = new QLabel(words.consequence, this);
    text->setTextFormat(Qt::PlainText);
    text->setWordWrap(true);
    text->setMinimumWidth(kTextWidth);
    column->addWidget(text);
    auto* form = new QFormLayout;
    for (const Parameter& parameter : parameters) {
        auto* box = new QSpinBox(this);
        box->setRange(parameter.min, parameter.max);
        box->setSingleStep(parameter.step);
        box->setSuffix(parameter.suffix);
        box->setSpecialValueText(parameter.minText);
        box->setValue(parameter.value);
        box->setAccessibleName(parameter.label);
        form->addRow(parameter.label, box);
        m_boxes.push_back(box);
    }
    column->addLayout(form);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    //: a button: carries out the command with the numbers above
    labelPrimaryButton(buttons, tr("Apply"));
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        std::vector<int> values;
        for (const QSpinBox* box : m_boxes) {
            values.push_back(box->value());
        }
        emit chosen(values);
        accept();
    });
    if (!m_boxes.empty()) {
        m_boxes.front()->selectAll();
        m_boxes.front()->setFocus();
    }
}

} // namespace lockscope::ui

#include "moc_parameter_dialog.cpp"
