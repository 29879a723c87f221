#include "ui/editor/client_row.h"

#include "ui/editor/draft.h"
#include "ui/editor/field.h"
#include "ui/editor/form.h"
#include "ui/editor/form_rows.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace lockscope::ui {

ClientRow::ClientRow(const sim::Scenario& common, QWidget* parent)
    : QWidget(parent)
    , m_common(common)
    , m_own(new QCheckBox(tr("own workload"), this))
    , m_remove(new QToolButton(this))
    , m_column(new QVBoxLayout(this))
{
    m_own->setObjectName("ownWork");
    m_remove->setObjectName("removeClient");
    m_remove->setText(QStringLiteral("✕"));
    m_remove->setFocusPolicy(Qt::StrongFocus);
    m_remove->setToolTip(tr("Removes this client from the scenario."));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    const Controls make(this, [this] { emit changed(); });
    const auto add = [&](const QString& key, const QString& name, const Control& control, int stretch) {
        m_fields.push_back(Field::bare(key, name, control, this));
        row->addWidget(m_fields.back(), stretch, Qt::AlignTop);
    };
    //: name of a field: of a client; and the placeholder in it
    add("name", tr("Name"), make.line(tr("name")), 3);
    //: name of a field: how many clients are like this one
    add("count", tr("Count"), make.digits(QStringLiteral("1")), 1);
    //: name of a field, a noun: the process whose session the client shares
    add("process", tr("Process"), make.line(tr("own process")), 2);
    //: name of a field, a noun: the time at which the client starts
    add("start", tr("Start"), make.line(tr("start")), 2);
    m_fields[2]->control()->setToolTip(tr("Clients of one process share its session."));
    m_fields[3]->control()->setToolTip(tr("Time after the start of the run. Empty: with the other clients."));
    row->addWidget(m_own, 0);
    row->addWidget(m_remove, 0);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->addLayout(row);
    connect(m_own, &QCheckBox::toggled, this, [this](bool own) {
        setOwnWork(own);
        emit changed();
    });
    connect(m_remove, &QToolButton::clicked, this, &ClientRow::removeRequested);
}

QWidget* ClientRow::name() const { return m_fields.front()->control(); }

void ClientRow::setOwnWork(bool own)
{
    if (own && !m_work) {
        m_work = new Form(this);
        m_work->setContentsMargins(20, 4, 0, 12);
        addWorkRows(*m_work, WorkOf::oneClient);
        loadWork(m_common.work);
        m_work->showFieldsFor(m_recipe);
        m_column->addWidget(m_work);
        connect(m_work, &Form::changed, this, &ClientRow::changed);
    }
    if (m_work) {
        m_work->setVisible(own);
    }
}

void ClientRow::loadWork(const sim::Work& work)
{
    m_work->load([&](std::string_view key) { return sim::settingOf(work, m_common.locks, key); });
}

void ClientRow::load(const sim::NamedClient& client, const sim::Scenario& scenario)
{
    m_recipe = scenario.recipe;
    for (Field* field : m_fields) {
        field->value().set(sim::settingOf(client, field->key().toStdString()));
    }
    const bool own = client.work != scenario.work;
    m_own->setChecked(own);
    if (own) {
        loadWork(client.work);
    }
}

void ClientRow::showFieldsFor(Recipe recipe)
{
    m_recipe = recipe;
    if (m_work) {
        m_work->showFieldsFor(recipe);
    }
}

void ClientRow::setNumber(int number)
{
    const QStringList names{tr("Name of client %1"), tr("Count of client %1"), tr("Process of client %1"),
                            tr("Start of client %1")};
    for (std::size_t i = 0; i < m_fields.size(); ++i) {
        m_fields[i]->control()->setAccessibleName(names[static_cast<qsizetype>(i)].arg(number));
    }
    m_own->setAccessibleName(tr("Client %1 has its own workload").arg(number));
    m_remove->setAccessibleName(tr("Remove client %1").arg(number));
}

std::optional<std::uint32_t> ClientRow::count() const
{
    bool whole = false;
    const uint number = m_fields[1]->value().toml().toUInt(&whole);
    return whole && number <= sim::kMaxClients ? std::optional<std::uint32_t>(number) : std::nullopt;
}

// A client's own workload has every field, so that it does not change with the common one.
void ClientRow::write(Draft& draft) const
{
    draft.beginClient(m_fields.front());
    for (Field* field : m_fields) {
        draft.put(field);
    }
    if (m_own->isChecked() && m_work) {
        m_work->write(draft);
    }
}

} // namespace lockscope::ui

#include "moc_client_row.cpp"
