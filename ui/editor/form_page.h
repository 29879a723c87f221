// A page of the form: fields in a scrolling column. Each page loads its part of a scenario and writes it into
// a draft. GUI thread.
#pragma once

#include <QScrollArea>

#include "core/sim/scenario/scenario.h"

class QVBoxLayout;

namespace lockscope::ui {

class Draft;
class Field;

class FormPage : public QScrollArea
{
    Q_OBJECT
public:
    explicit FormPage(QWidget* parent);
    virtual void load(const sim::Scenario& scenario) = 0;
    virtual void write(Draft& draft) const = 0;

signals:
    void changed();

protected:
    // Appends a field; each edit emits changed().
    Field* add(const QString& key, const QString& label, QWidget* control, const QString& hint = {});
    QVBoxLayout* column() const { return m_column; }
    QWidget* content() const { return widget(); }

private:
    QVBoxLayout* m_column;
};

} // namespace lockscope::ui
