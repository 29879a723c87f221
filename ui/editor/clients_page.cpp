#include "ui/editor/clients_page.h"

#include "ui/editor/client_row.h"
#include "ui/editor/draft.h"
#include "ui/editor/field.h"
#include "ui/editor/form.h"
#include "ui/editor/form_rows.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

ClientsPage::ClientsPage(QWidget* parent)
    : FormPage(parent)
    , m_clients(new Field(
          "clients", tr("&Clients"), form().controls().number(0, static_cast<int>(sim::kMaxClients)),
          tr("Clients without a row of their own below. They are named ada, bo, cyd, …"), content()))
    , m_named(new QVBoxLayout)
    , m_addClient(new QPushButton(tr("Add &Named Client"), this))
{
    column()->insertWidget(0, m_clients);
    addArrivalRows(form());
    m_named->setSpacing(8);
    auto* words = new QLabel(
        tr("Named clients: name, count, the process whose session they share, and when they arrive."),
        content());
    words->setWordWrap(true);
    words->setProperty("kind", "hint");
    words->setContentsMargins(0, 10, 0, 0);
    column()->addWidget(words);
    column()->addLayout(m_named);
    m_addClient->setObjectName("addClient");
    m_addClient->setAutoDefault(false);
    column()->addWidget(m_addClient, 0, Qt::AlignLeft);
    connect(m_addClient, &QPushButton::clicked, this, &ClientsPage::addClient);
}

void ClientsPage::load(const sim::Scenario& scenario)
{
    m_defaults = scenario;
    m_recipe = scenario.recipe;
    FormPage::load(scenario);
    m_clients->value().set({{std::to_string(scenario.clients)}});
    qDeleteAll(m_rows);
    m_rows.clear();
    for (const sim::NamedClient& client : scenario.named) {
        addRow()->load(client, scenario);
    }
    numberRows();
}

ClientRow* ClientsPage::addRow()
{
    auto* row = new ClientRow(m_defaults, content());
    m_rows.push_back(row);
    m_named->addWidget(row);
    connect(row, &ClientRow::changed, this, &ClientsPage::changed);
    connect(row, &ClientRow::removeRequested, this, [this, row] { remove(row); });
    return row;
}

void ClientsPage::addClient()
{
    ClientRow* row = addRow();
    row->load({.name = {}, .count = 1, .process = {}, .start = {}, .work = m_defaults.work}, m_defaults);
    row->showFieldsFor(m_recipe);
    numberRows();
    row->show();
    row->name()->setFocus();
    emit changed();
}

void ClientsPage::remove(ClientRow* row)
{
    m_rows.erase(std::find(m_rows.begin(), m_rows.end(), row));
    row->hide();
    row->deleteLater();
    numberRows();
    m_addClient->setFocus();
    emit changed();
}

void ClientsPage::numberRows()
{
    int number = 1;
    for (ClientRow* row : m_rows) {
        row->setNumber(number++);
    }
}

void ClientsPage::showFieldsFor(Recipe recipe)
{
    m_recipe = recipe;
    for (ClientRow* row : m_rows) {
        row->showFieldsFor(recipe);
    }
}

void ClientsPage::write(Draft& draft) const
{
    // The number in a file includes the named clients.
    const uint others = m_clients->value().toml().toUInt();
    std::uint64_t all = others;
    for (const ClientRow* row : m_rows) {
        all += row->count().value_or(1);
    }
    if (others > 0 || m_rows.empty()) {
        draft.put(m_clients, QString::number(all));
    } else {
        draft.addField(m_clients);
    }
    FormPage::write(draft);
}

void ClientsPage::writeNamed(Draft& draft) const
{
    for (const ClientRow* row : m_rows) {
        row->write(draft);
    }
}

} // namespace lockscope::ui

#include "moc_clients_page.cpp"
