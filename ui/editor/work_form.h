// The workload of all clients, or of one client, as fields. Shows only the fields of the recipe. GUI thread.
#pragma once

#include <QWidget>

#include "core/sim/scenario/scenario.h"

#include <vector>

class QCheckBox;
class QLineEdit;
class QSpinBox;
class QVBoxLayout;

namespace lockscope::ui {

class ChoiceField;
class Draft;
class Field;
class NumberRangeField;
class TimeRangeField;

class WorkForm : public QWidget
{
    Q_OBJECT
public:
    enum class Owner { allClients, own };
    WorkForm(Owner owner, QWidget* parent);
    void load(const sim::Work& work, const std::vector<std::string>& locks);
    void showFieldsFor(Recipe recipe);
    void write(Draft& draft) const;

signals:
    void changed();

private:
    void add(const QString& key, const QString& label, QWidget* control, const QString& hint = {});
    void addTimes();
    void addLocks();
    void addTimeouts();

    Owner m_owner;
    QVBoxLayout* m_column;
    QSpinBox* m_cycles;
    TimeRangeField* m_think;
    TimeRangeField* m_hold;
    NumberRangeField* m_reenter;
    QLineEdit* m_takes;
    ChoiceField* m_giveBack;
    QSpinBox* m_writePercent;
    NumberRangeField* m_permits;
    QLineEdit* m_timeout;
    QSpinBox* m_tries;
    QCheckBox* m_revocable;
    std::vector<Field*> m_fields; // in the order of addTimes(), addLocks(), addTimeouts()
    Recipe m_recipe = Recipe::mutex;
};

} // namespace lockscope::ui
