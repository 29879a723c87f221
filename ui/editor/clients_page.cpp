#include "ui/editor/clients_page.h"

#include "core/sim/scenario/scenario_text.h"
#include "ui/editor/client_row.h"
#include "ui/editor/draft.h"
#include "ui/editor/field.h"
#include "ui/editor/value_fields.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

namespace {

const QString kPlain = QStringLiteral("at once");
const QString kTogether = QStringLiteral("together");
const QString kInGroups = QStringLiteral("together by ");
const QString kEvery = QStringLiteral("every ");
const QString kPoisson = QStringLiteral("poisson ");

bool hasAmount(const QString& word) { return word.endsWith(' '); }

} // namespace

ClientsPage::ClientsPage(QWidget* parent)
    : FormPage(parent)
    , m_clients(new NumberField(0, static_cast<int>(sim::kMaxClients), this))
    , m_workers(new NumberField(1, static_cast<int>(sim::kMaxClients), this))
    , m_arrival(new ChoiceField(this))
    , m_arrivalText(makeTimeEdit({}, this))
    , m_named(new QVBoxLayout)
    , m_addClient(new QPushButton(tr("Add &Named Client"), this))
{
    add("clients", tr("&Clients"), m_clients,
        tr("Clients without a row of their own below. They are named ada, bo, cyd, …"));
    add("workers", tr("&Workers of each"), m_workers,
        tr("Workers share the session of their client, as the threads of a process do."));
    m_arrival->add(tr("all at once"), kPlain);
    m_arrival->add(tr("together, when all are connected"), kTogether);
    m_arrival->add(tr("in groups of"), kInGroups);
    m_arrival->add(tr("one after the other, every"), kEvery);
    m_arrival->add(tr("at random (Poisson), on average every"), kPoisson);
    add("arrival", tr("Arri&val"), m_arrival);
    add("arrival_amount", tr("Arrival s&ize or interval"), m_arrivalText);
    connect(m_arrival, &QComboBox::currentIndexChanged, this, &ClientsPage::showArrival);
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
    showArrival();
}

void ClientsPage::showArrival()
{
    const QString word = m_arrival->word();
    Field::of(m_arrivalText)->setVisible(hasAmount(word));
    m_arrivalText->setPlaceholderText(word == kInGroups ? QStringLiteral("100") : QStringLiteral("20ms"));
}

void ClientsPage::load(const sim::Scenario& scenario)
{
    m_defaults = scenario;
    m_recipe = scenario.recipe;
    m_clients->setValue(static_cast<int>(scenario.clients));
    m_workers->setValue(static_cast<int>(scenario.workers));
    const QString arrival = QString::fromStdString(sim::formatArrival(scenario.arrival));
    QString amount;
    m_arrival->setWord(arrival);
    for (const QString& word : {kInGroups, kEvery, kPoisson}) {
        if (arrival.startsWith(word)) {
            m_arrival->setWord(word);
            amount = arrival.mid(word.size());
        }
    }
    m_arrivalText->setText(amount);
    showArrival();
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
    std::uint64_t all = static_cast<std::uint64_t>(m_clients->value());
    for (const ClientRow* row : m_rows) {
        all += row->count().value_or(1);
    }
    if (m_clients->value() > 0 || m_rows.empty()) {
        draft.put(Field::of(m_clients), QString::number(all));
    } else {
        draft.addField(Field::of(m_clients));
    }
    draft.put(Field::of(m_workers));
    const QString word = m_arrival->word();
    const QString amount = m_arrivalText->text().trimmed();
    if (hasAmount(word)) {
        draft.line(Field::of(m_arrivalText), "arrival = " + tomlString(word + amount));
    } else {
        draft.put(Field::of(m_arrival));
    }
}

void ClientsPage::writeNamed(Draft& draft) const
{
    for (const ClientRow* row : m_rows) {
        row->write(draft);
    }
}

} // namespace lockscope::ui

#include "moc_clients_page.cpp"
