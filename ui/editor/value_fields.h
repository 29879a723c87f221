// Controls for a scenario's values without a standard widget: a random time, two numbers, a choice with the
// file's word for each entry. GUI thread.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QWidget>

#include "core/sim/scenario/work.h"

#include <functional>

class QPlainTextEdit;

namespace lockscope::ui {

// "5ms", a range of two times, or exponential, as in a file.
class TimeRangeField : public QWidget
{
    Q_OBJECT
public:
    explicit TimeRangeField(QWidget* parent = nullptr);
    void setRange(const sim::Range& range);
    QString toml() const;

signals:
    void changed();

private:
    void showParts();
    QComboBox* m_kind;
    QLineEdit* m_low;
    QLabel* m_to;
    QLineEdit* m_high;
};

// A range of two numbers.
class NumberRangeField : public QWidget
{
    Q_OBJECT
public:
    NumberRangeField(int low, int high, QWidget* parent = nullptr);
    void setNumbers(std::uint32_t min, std::uint32_t max);
    QString toml() const;

signals:
    void changed();

private:
    QSpinBox* m_min;
    QSpinBox* m_max;
};

// A choice whose entries each have a word for the file. Ignores the wheel, which scrolls the form.
class ChoiceField : public QComboBox
{
    Q_OBJECT
public:
    explicit ChoiceField(QWidget* parent = nullptr);
    void add(const QString& text, const QString& word) { addItem(text, word); }
    QString word() const { return currentData().toString(); }
    void setWord(const QString& word) { setCurrentIndex(qMax(0, findData(word))); }

protected:
    void wheelEvent(QWheelEvent* event) override;
};

// A whole number that ignores the wheel.
class NumberField : public QSpinBox
{
    Q_OBJECT
public:
    NumberField(int low, int high, QWidget* parent = nullptr);

protected:
    void wheelEvent(QWheelEvent* event) override;
};

// Calls back whenever the value of a form control changes, as long as `context` lives.
void connectEdited(QWidget* control, QObject* context, const std::function<void()>& callback);

// The value of a form control as a file has it; empty for an empty line of text.
QString tomlOf(const QWidget* control);
// The lines with text, without the spaces around it.
QStringList linesOf(const QPlainTextEdit& edit);

QLineEdit* makeTimeEdit(const QString& whenEmpty, QWidget* parent);
QString timeText(Duration time);
QString fromUtf8(std::string_view text);

} // namespace lockscope::ui
