// The page of the clients: their number, names and arrival. GUI thread.
#pragma once

#include "ui/editor/form_page.h"

#include <vector>

class QPushButton;

namespace lockscope::ui {

class ClientRow;
class Field;

class ClientsPage : public FormPage
{
    Q_OBJECT
public:
    explicit ClientsPage(QWidget* parent);
    void load(const sim::Scenario& scenario) override;
    void write(Draft& draft) const override;
    void writeNamed(Draft& draft) const; // writes tables, which come last in a file
    void showFieldsFor(Recipe recipe);
    void setDefaults(const sim::Scenario& scenario) { m_defaults = scenario; }
    void addClient();
    const std::vector<ClientRow*>& rows() const { return m_rows; }

private:
    ClientRow* addRow();
    void remove(ClientRow* row);
    void numberRows();

    Field* m_clients;
    QVBoxLayout* m_named;
    QPushButton* m_addClient;
    std::vector<ClientRow*> m_rows;
    Recipe m_recipe = Recipe::mutex;
    sim::Scenario m_defaults; // for a new client: the last state of the form without mistakes
};

} // namespace lockscope::ui
