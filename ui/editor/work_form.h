// What a client does cycle by cycle, as fields: that of all clients, or one client's own. Shows only what the
// recipe has. GUI thread.
#pragma once

#include <QWidget>

#include "core/sim/scenario.h"

#include <vector>

class QCheckBox;
class QLineEdit;
class QSpinBox;
class QVBoxLayout;

namespace lockscope::ui {

class ChoiceField;
class Draft;
class Field;
class PairField;
class RangeField;

class WorkForm : public QWidget
{
    Q_OBJECT
public:
    enum class Whose { everybodys, own };
    WorkForm(Whose whose, QWidget* parent);
    void load(const sim::Work& work, const std::vector<std::string>& locks);
    void showFor(sim::Recipe recipe);
    void write(Draft& draft) const;

signals:
    void changed();

private:
    Field* add(const QString& key, const QString& label, QWidget* control, const QString& hint = {});
    void addTimes();
    void addLocks();
    void addPatience();

    Whose m_whose;
    QVBoxLayout* m_column;
    QSpinBox* m_cycles;
    RangeField* m_think;
    RangeField* m_hold;
    PairField* m_reenter;
    QLineEdit* m_takes;
    ChoiceField* m_giveBack;
    QSpinBox* m_writePercent;
    PairField* m_permits;
    QLineEdit* m_timeout;
    QSpinBox* m_tries;
    QCheckBox* m_revocable;
    std::vector<Field*> m_fields; // in the order of addTimes(), addLocks(), addPatience()
    sim::Recipe m_recipe = sim::Recipe::mutex;
};

} // namespace lockscope::ui
