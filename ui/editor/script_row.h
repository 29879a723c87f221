// A line of a script in the form: a condition and an action, both with completion. GUI thread.
#pragma once

#include <QWidget>

class QLineEdit;
class QStringListModel;
class QToolButton;

namespace lockscope::ui {

class Field;

class ScriptRow : public QWidget
{
    Q_OBJECT
public:
    ScriptRow(QStringListModel* conditions, QStringListModel* actions, QWidget* parent);
    void setLine(const QString& line); // "when bo waits: kill ada"
    QString line() const;
    bool empty() const;
    void setNumber(int number);
    Field* field() const { return m_field; }
    QLineEdit* condition() const { return m_condition; }

signals:
    void changed();
    void removeRequested();
    void moveRequested(int by);

private:
    QToolButton* button(const QString& sign, const QString& name);
    QLineEdit* m_condition;
    QLineEdit* m_action;
    QToolButton* m_up;
    QToolButton* m_down;
    QToolButton* m_remove;
    Field* m_field;
};

} // namespace lockscope::ui
