#include "ui/editor/form_page.h"

#include "ui/editor/field.h"
#include "ui/editor/value_fields.h"

#include <QVBoxLayout>

namespace lockscope::ui {

namespace {
constexpr int kMargin = 18;
constexpr int kFieldSpacing = 12;
} // namespace

FormPage::FormPage(QWidget* parent)
    : QScrollArea(parent)
    , m_column(new QVBoxLayout)
{
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    auto* all = new QWidget(this);
    all->setObjectName("formContent");
    auto* outer = new QVBoxLayout(all);
    outer->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    m_column->setSpacing(kFieldSpacing);
    outer->addLayout(m_column);
    outer->addStretch(1);
    setWidget(all);
}

Field* FormPage::add(const QString& key, const QString& label, QWidget* control, const QString& hint)
{
    auto* field = new Field(key, label, control, hint, widget());
    m_column->addWidget(field);
    connectEdited(control, this, [this] { emit changed(); });
    return field;
}

} // namespace lockscope::ui

#include "moc_form_page.cpp"
