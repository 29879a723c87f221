#include "ui/editor/client_row.h"

#include "ui/editor/draft.h"
#include "ui/editor/field.h"
#include "ui/editor/value_fields.h"
#include "ui/editor/work_form.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QToolButton>

namespace lockscope::ui {

ClientRow::ClientRow(const sim::Scenario& common, QWidget* parent)
    : QWidget(parent)
    , m_common(common)
    , m_name(new QLineEdit(this))
    , m_count(new QLineEdit(QStringLiteral("1"), this))
    , m_process(new QLineEdit(this))
    //: placeholder: the time at which the client starts
    , m_start(makeTimeEdit(tr("start"), this))
    , m_own(new QCheckBox(tr("own workload"), this))
    , m_remove(new QToolButton(this))
    , m_column(new QVBoxLayout(this))
{
    //: placeholder: the name of the client
    m_name->setPlaceholderText(tr("name"));
    m_name->setMaxLength(60);
    m_count->setMaxLength(6);
    m_process->setPlaceholderText(tr("own process"));
    m_process->setToolTip(tr("Clients of one process share its session."));
    m_own->setObjectName("ownWork");
    m_remove->setObjectName("removeClient");
    m_remove->setText(QStringLiteral("✕"));
    m_remove->setFocusPolicy(Qt::StrongFocus);
    m_remove->setToolTip(tr("Removes this client from the scenario."));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    //: name of a field: of a client
    row->addWidget(Field::bare("name", tr("Name"), m_name, this), 3, Qt::AlignTop);
    //: name of a field: how many clients are like this one
    row->addWidget(Field::bare("count", tr("Count"), m_count, this), 1, Qt::AlignTop);
    //: name of a field, a noun: the process whose session the client shares
    row->addWidget(Field::bare("process", tr("Process"), m_process, this), 2, Qt::AlignTop);
    //: name of a field, a noun: the time at which the client starts
    row->addWidget(Field::bare("start", tr("Start"), m_start, this), 2, Qt::AlignTop);
    row->addWidget(m_own, 0);
    row->addWidget(m_remove, 0);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->addLayout(row);
    for (QWidget* control : {m_name, m_count, m_process, m_start}) {
        connectEdited(control, this, [this] { emit changed(); });
    }
    connect(m_own, &QCheckBox::toggled, this, [this](bool own) {
        setOwnWork(own);
        emit changed();
    });
    connect(m_remove, &QToolButton::clicked, this, &ClientRow::removeRequested);
}

void ClientRow::setOwnWork(bool own)
{
    if (own && !m_work) {
        m_work = new WorkForm(WorkForm::Owner::own, this);
        m_work->setContentsMargins(20, 4, 0, 12);
        m_work->load(m_common.work, m_common.locks);
        m_work->showFieldsFor(m_recipe);
        m_column->addWidget(m_work);
        connect(m_work, &WorkForm::changed, this, &ClientRow::changed);
    }
    if (m_work) {
        m_work->setVisible(own);
    }
}

void ClientRow::load(const sim::NamedClient& client, const sim::Scenario& scenario)
{
    m_recipe = scenario.recipe;
    m_name->setText(QString::fromStdString(client.name));
    m_count->setText(QString::number(client.count));
    m_process->setText(QString::fromStdString(client.process));
    m_start->setToolTip(tr("Time after the start of the run. Empty: with the other clients."));
    m_start->setText(client.start ? timeText(*client.start) : QString());
    const bool own = client.work != scenario.work;
    m_own->setChecked(own);
    if (own) {
        m_work->load(client.work, scenario.locks);
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
    m_name->setAccessibleName(tr("Name of client %1").arg(number));
    m_count->setAccessibleName(tr("Count of client %1").arg(number));
    m_process->setAccessibleName(tr("Process of client %1").arg(number));
    m_start->setAccessibleName(tr("Start of client %1").arg(number));
    m_own->setAccessibleName(tr("Client %1 has its own workload").arg(number));
    m_remove->setAccessibleName(tr("Remove client %1").arg(number));
}

std::optional<std::uint32_t> ClientRow::count() const
{
    bool whole = false;
    const uint number = m_count->text().trimmed().toUInt(&whole);
    return whole && number <= sim::kMaxClients ? std::optional<std::uint32_t>(number) : std::nullopt;
}

void ClientRow::write(Draft& draft) const
{
    draft.line(Field::of(m_name), QStringLiteral("[[client]]"));
    draft.put(Field::of(m_name), tomlString(m_name->text().trimmed()));
    draft.put(Field::of(m_count), numberOrQuoted(m_count->text()));
    draft.put(Field::of(m_process));
    draft.put(Field::of(m_start));
    if (m_own->isChecked() && m_work) {
        m_work->write(draft);
    }
}

} // namespace lockscope::ui

#include "moc_client_row.cpp"
