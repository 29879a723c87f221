// The controls of a scenario's settings. Each gives its value as a file has it, and takes it from a scenario.
// GUI thread.
#pragma once

#include "core/sim/scenario/settings.h"

#include <QCoreApplication>
#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

namespace lockscope::ui {

struct Control
{
    QWidget* widget = nullptr;
    std::function<QString()> toml; // empty: nothing is written
    std::function<void(const sim::SettingValue&)> set;
};

QString quotedToml(const QString& text);

// Makes controls with this parent; each calls `edited` whenever its value changes.
class Controls
{
    Q_DECLARE_TR_FUNCTIONS(Controls)
public:
    using Edited = std::function<void()>;
    struct Choice
    {
        QString text; // empty: a separator
        QString word; // of the file; one that ends with a space takes an amount: "every " and "20ms"
    };
    Controls(QWidget* parent, Edited edited)
        : m_parent(parent)
        , m_edited(std::move(edited))
    {}

    Control line(const QString& whenEmpty = {}) const; // an empty line writes nothing
    Control digits(const QString& text = {}) const;    // a whole number of any size
    Control paragraph() const;
    Control list(int height, const QString& example) const; // an entry on each line
    Control takes(const QString& whenEmpty) const;          // names with commas between them
    Control number(int low, int high, const QString& suffix = {}, const QString& lowest = {}) const;
    Control numbers(int low, int high) const; // a range of two
    Control flag(const QString& text) const;
    Control choice(const std::vector<Choice>& choices, bool quoted = true) const;
    Control times() const; // "5ms", a range of two times, or exponential

private:
    QWidget* m_parent;
    Edited m_edited;
};

} // namespace lockscope::ui
