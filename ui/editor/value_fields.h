// The controls for a scenario's values that no standard widget has: a time to draw, two numbers, a choice
// with a word of the file behind each entry. GUI thread.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QWidget>

#include "core/sim/scenario/work.h"

#include <functional>

namespace lockscope::ui {

// "5ms", between two times, or exponential: as a file has it.
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

// From so many to so many.
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

// Entries with a word behind each; a wheel over it scrolls the form and changes nothing.
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

// A whole number that the wheel does not change either.
class NumberField : public QSpinBox
{
    Q_OBJECT
public:
    NumberField(int low, int high, QWidget* parent = nullptr);

protected:
    void wheelEvent(QWheelEvent* event) override;
};

// Calls back whenever the value in a control of the form changes, as long as `context` lives.
void connectEdited(QWidget* control, QObject* context, const std::function<void()>& callback);

QLineEdit* makeTimeEdit(const QString& whenEmpty, QWidget* parent);
QString timeText(Duration time);
QString fromUtf8(std::string_view text);

} // namespace lockscope::ui
