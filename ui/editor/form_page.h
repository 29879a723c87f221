// A page of the form: fields in a scrolling column, which load their part of a scenario and write it into a
// draft. GUI thread.
#pragma once

#include <QScrollArea>

#include "core/sim/scenario/scenario.h"

class QVBoxLayout;

namespace lockscope::ui {

class Draft;
class Form;

class FormPage : public QScrollArea
{
    Q_OBJECT
public:
    explicit FormPage(QWidget* parent);
    Form& form() const { return *m_form; }
    virtual void load(const sim::Scenario& scenario);
    virtual void write(Draft& draft) const;

signals:
    void changed();

protected:
    QVBoxLayout* column() const { return m_column; } // the form is its first entry
    QWidget* content() const { return widget(); }

private:
    QVBoxLayout* m_column;
    Form* m_form;
};

} // namespace lockscope::ui
