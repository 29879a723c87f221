#include "ui/editor/field.h"

#include "ui/models/style/format.h"
#include "ui/widgets/panel_parts.h"

#include <QGridLayout>

namespace lockscope::ui {

namespace {

constexpr int kLabelWidth = 172;

QLabel* quietLabel(const QString& text, const char* kind, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setProperty("kind", kind);
    label->setVisible(!text.isEmpty());
    return label;
}

} // namespace

Field::Field(const QString& key, const QString& label, const Control& value, const QString& hint,
             QWidget* parent)
    : QWidget(parent)
    , m_key(key)
    , m_value(value)
    , m_hint(hint)
    , m_mistake(quietLabel({}, "mistake", this))
{
    QWidget* control = value.widget;
    setObjectName("field." + key);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(3);
    int column = 0;
    if (!label.isEmpty()) {
        auto* words = new QLabel(label, this);
        words->setBuddy(control);
        words->setFixedWidth(kLabelWidth);
        words->setWordWrap(true);
        words->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        words->setContentsMargins(0, 6, 0, 0);
        grid->addWidget(words, 0, column++);
        const QString name = format::withoutMnemonic(label);
        control->setAccessibleName(name);
        if (QWidget* part = control->focusProxy(); part && part->accessibleName().isEmpty()) {
            part->setAccessibleName(name);
        }
    }
    control->setParent(this);
    control->setObjectName(key);
    control->setAccessibleDescription(hint);
    grid->addWidget(control, 0, column);
    grid->addWidget(m_mistake, 1, column);
    if (!hint.isEmpty()) {
        grid->addWidget(quietLabel(hint, "hint", this), 2, column);
    }
    grid->setColumnStretch(column, 1);
}

Field* Field::bare(const QString& key, const QString& name, const Control& control, QWidget* parent)
{
    auto* field = new Field(key, {}, control, {}, parent);
    control.widget->setAccessibleName(name);
    return field;
}

// The border shows it too, and a screen reader reads it as the control's description.
void Field::setMistake(const QString& text)
{
    if (m_mistake->text() == text) {
        return;
    }
    m_mistake->setText(text);
    m_mistake->setVisible(!text.isEmpty());
    control()->setAccessibleDescription(text.isEmpty() ? m_hint : text);
    control()->setProperty("wrong", !text.isEmpty());
    const QList<QWidget*> parts = control()->findChildren<QWidget*>() << control();
    for (QWidget* part : parts) {
        part->setProperty("wrong", !text.isEmpty());
        repolish(part);
    }
}

} // namespace lockscope::ui

#include "moc_field.cpp"
