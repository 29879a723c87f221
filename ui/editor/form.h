// Fields of a scenario's settings in a column: all that have a row in the core's table. Shows only those that
// the recipe has, and writes those that it shows. GUI thread.
#pragma once

#include "core/sim/scenario/settings.h"
#include "ui/editor/controls.h"

#include <QWidget>

#include <functional>
#include <vector>

class QVBoxLayout;

namespace lockscope::ui {

class Draft;
class Field;

class Form : public QWidget
{
    Q_OBJECT
public:
    explicit Form(QWidget* parent);
    Controls controls(); // whose edits emit changed()
    // Appends a field. `key` is that of a file; `hint` a sentence below the control, may be empty.
    Field* add(const QString& key, const QString& label, const Control& control, const QString& hint = {});
    void load(const std::function<sim::SettingValue(std::string_view key)>& valueOf);
    void showFieldsFor(Recipe recipe);
    void write(Draft& draft) const;
    QVBoxLayout* column() const { return m_column; }

signals:
    void changed();

private:
    QVBoxLayout* m_column;
    std::vector<Field*> m_fields;
};

} // namespace lockscope::ui
