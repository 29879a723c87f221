#include "ui/editor/form.h"

#include "ui/editor/draft.h"
#include "ui/editor/field.h"

#include <QVBoxLayout>

namespace lockscope::ui {

namespace {

constexpr int kFieldSpacing = 12;

bool isUsedBy(const QString& key, Recipe recipe)
{
    if (key == "write_percent") {
        return isReadWrite(recipe);
    }
    if (key == "permits" || key == "leases") {
        return isSemaphore(recipe);
    }
    if (key == "handoff") {
        return recipe == Recipe::mutex;
    }
    return (key != "takes" && key != "give_back") || recipe != Recipe::multiLock;
}

} // namespace

Form::Form(QWidget* parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(kFieldSpacing);
}

Controls Form::controls()
{
    return {this, [this] { emit changed(); }};
}

Field* Form::add(const QString& key, const QString& label, const Control& control, const QString& hint)
{
    auto* field = new Field(key, label, control, hint, this);
    m_column->addWidget(field);
    m_fields.push_back(field);
    return field;
}

void Form::load(const std::function<sim::SettingValue(std::string_view key)>& valueOf)
{
    for (Field* field : m_fields) {
        field->value().set(valueOf(field->key().toStdString()));
    }
}

void Form::showFieldsFor(Recipe recipe)
{
    for (Field* field : m_fields) {
        field->setVisible(isUsedBy(field->key(), recipe));
    }
}

void Form::write(Draft& draft) const
{
    for (Field* field : m_fields) {
        if (!field->isHidden()) {
            draft.put(field);
        }
    }
}

} // namespace lockscope::ui

#include "moc_form.cpp"
