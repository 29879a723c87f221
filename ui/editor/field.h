// A line of the form: a label, its control, and the mistake below it, if any. Has the key of the field in a
// file. GUI thread.
#pragma once

#include "ui/editor/controls.h"

#include <QLabel>
#include <QWidget>

namespace lockscope::ui {

class Field : public QWidget
{
    Q_OBJECT
public:
    // `label` may have a mnemonic for the control. `hint` is a sentence below it, may be empty.
    Field(const QString& key, const QString& label, const Control& control, const QString& hint,
          QWidget* parent);
    // Without a label, for rows of several fields; `name` is for screen readers.
    static Field* bare(const QString& key, const QString& name, const Control& control, QWidget* parent);

    const QString& key() const { return m_key; }
    QWidget* control() const { return m_value.widget; }
    const Control& value() const { return m_value; }
    QString mistake() const { return m_mistake->text(); }
    void setMistake(const QString& text);

private:
    QString m_key;
    Control m_value;
    QString m_hint;
    QLabel* m_mistake;
};

} // namespace lockscope::ui
