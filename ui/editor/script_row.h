// One line of a script in the form: the moment, and what happens then, both with completion. GUI thread.
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
    ScriptRow(QStringListModel* whens, QStringListModel* deeds, QWidget* parent);
    void setLine(const QString& line); // "when bo waits: kill ada"
    QString line() const;
    bool empty() const;
    void setNumber(int number);
    Field* field() const { return m_field; }
    QLineEdit* when() const { return m_when; }

signals:
    void changed();
    void removeWanted();
    void moveWanted(int by);

private:
    QToolButton* button(const QString& sign, const QString& name);
    QLineEdit* m_when;
    QLineEdit* m_deed;
    QToolButton* m_up;
    QToolButton* m_down;
    QToolButton* m_remove;
    Field* m_field;
};

} // namespace lockscope::ui
