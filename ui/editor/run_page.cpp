#include "ui/editor/run_page.h"

#include "core/sim/scenario/scenario_text.h"
#include "ui/editor/draft.h"
#include "ui/editor/field.h"
#include "ui/editor/value_fields.h"

#include <QCheckBox>
#include <QPlainTextEdit>

namespace lockscope::ui {

namespace {
const QString kAddress = QStringLiteral("address");
}

RunPage::RunPage(QWidget* parent)
    : FormPage(parent)
    , m_duration(makeTimeEdit(tr("until all cycles are done"), this))
    , m_seed(new QLineEdit(this))
    , m_timeout(makeTimeEdit(tr("10s"), this))
    , m_pace(makeTimeEdit(tr("no delay"), this))
    , m_servers(new ChoiceField(this))
    , m_connect(new QLineEdit(this))
    , m_links(new ChoiceField(this))
    , m_stepping(new QCheckBox(tr("stop every client before each step, from the start"), this))
    , m_steps(new QPlainTextEdit(this))
{
    add("duration", tr("&Duration"), m_duration, tr("No client starts a new cycle after this time."));
    add("seed", tr("See&d"), m_seed, tr("The same seed draws the same times."));
    add("session_timeout", tr("Session &timeout"), m_timeout);
    add("pace", tr("&Pace"), m_pace, tr("The delay before every protocol step."));
    m_servers->add(tr("one private server"), "1");
    m_servers->add(tr("three private servers"), "3");
    m_servers->add(tr("at an address"), kAddress);
    add("servers", tr("&ZooKeeper"), m_servers);
    m_connect->setPlaceholderText("127.0.0.1:2181");
    add("connect", tr("&Address"), m_connect, tr("HOST:PORT, separated by commas."));
    m_links->add(tr("when the script needs them"), {});
    //: a choice for whether clients connect through links that can fail
    m_links->add(tr("always"), "true");
    //: a choice for whether clients connect through links that can fail
    m_links->add(tr("never"), "false");
    add("links", tr("&Links that can fail"), m_links);
    add("stepping", tr("&Stepping"), m_stepping);
    m_steps->setTabChangesFocus(true);
    m_steps->setFixedHeight(130);
    m_steps->setPlaceholderText("ada create\nbo create");
    add("steps", tr("St&eps"), m_steps,
        tr("A client and its step on each line, in the order in which they are taken: %1.")
            .arg(QString::fromStdString(sim::stepNames())));
    const auto showAddress = [this] { Field::of(m_connect)->setVisible(m_servers->word() == kAddress); };
    connect(m_servers, &QComboBox::currentIndexChanged, this, showAddress);
    showAddress();
}

void RunPage::load(const sim::Scenario& scenario)
{
    m_duration->setText(scenario.duration ? timeText(*scenario.duration) : QString());
    m_seed->setText(QString::number(scenario.seed));
    m_timeout->setText(timeText(scenario.sessionTimeout));
    m_pace->setText(scenario.pace == Duration{} ? QString() : timeText(scenario.pace));
    m_servers->setWord(scenario.connect.empty() ? QString::number(scenario.servers) : kAddress);
    m_connect->setText(QString::fromStdString(scenario.connect));
    m_links->setWord(!scenario.links ? QString() : *scenario.links ? "true" : "false");
    m_stepping->setChecked(scenario.stepping);
    QStringList steps;
    for (const sim::TakenStep& step : scenario.steps) {
        steps += QString::fromStdString(step.client) + ' ' + fromUtf8(sim::stepName(step.step));
    }
    m_steps->setPlainText(steps.join('\n'));
}

void RunPage::write(Draft& draft) const
{
    draft.put(Field::of(m_duration));
    draft.put(Field::of(m_seed), numberOrQuoted(m_seed->text()));
    draft.put(Field::of(m_timeout));
    draft.put(Field::of(m_pace));
    if (m_servers->word() == kAddress) {
        draft.put(Field::of(m_connect), tomlString(m_connect->text().trimmed()));
    } else {
        draft.put(Field::of(m_servers), m_servers->word());
    }
    if (!m_links->word().isEmpty()) {
        draft.put(Field::of(m_links), m_links->word());
    }
    draft.put(Field::of(m_stepping));
    if (const QStringList steps = linesOf(*m_steps); !steps.isEmpty()) {
        draft.putList(Field::of(m_steps), steps);
    }
}

} // namespace lockscope::ui

#include "moc_run_page.cpp"
