// A named client in the form: name, count, process, start, and optionally its own workload below. GUI thread.
#pragma once

#include <QWidget>

#include "core/sim/scenario/scenario.h"

#include <vector>

class QCheckBox;
class QToolButton;
class QVBoxLayout;

namespace lockscope::ui {

class Draft;
class Field;
class Form;

class ClientRow : public QWidget
{
    Q_OBJECT
public:
    // `common` must outlive the row. When the box is checked, the client's own work starts as a copy of its
    // work.
    ClientRow(const sim::Scenario& common, QWidget* parent);
    void load(const sim::NamedClient& client, const sim::Scenario& scenario);
    void showFieldsFor(Recipe recipe);
    void setNumber(int number); // from 1, for screen readers
    void write(Draft& draft) const;
    // The number of clients; none when the text is not a number.
    std::optional<std::uint32_t> count() const;
    QWidget* name() const;

signals:
    void changed();
    void removeRequested();

private:
    void setOwnWork(bool own);
    void loadWork(const sim::Work& work);

    const sim::Scenario& m_common;
    std::vector<Field*> m_fields; // name, count, process, start
    QCheckBox* m_own;
    QToolButton* m_remove;
    QVBoxLayout* m_column;
    Form* m_work = nullptr; // created on demand, so that a thousand rows stay cheap
    Recipe m_recipe = Recipe::mutex;
};

} // namespace lockscope::ui
