#include "ui/editor/expect_page.h"

#include "core/sim/scenario/scenario_text.h"
#include "core/trace/finding_rules.h"
#include "ui/editor/draft.h"
#include "ui/editor/field.h"
#include "ui/editor/form.h"
#include "ui/texts/core_messages.h"

#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

namespace {

QString wordOf(const Field& field) { return field.value().toml(); }

} // namespace

ExpectPage::ExpectPage(QWidget* parent)
    : FormPage(parent)
{
    const Controls make = form().controls();
    for (const trace::FindingRule& rule : trace::findingRules()) {
        const QString name = QString::fromStdString(std::string(rule.name()));
        //: a choice for what is expected of a finding: it is kept
        const Control verdict = make.choice({{tr("holds"), "holds"},
                                             {tr("is violated"), "violated"},
                                             //: a choice for what is expected of a finding: kept or violated
                                             {tr("either"), "either"}},
                                            false);
        m_findings.push_back(form().add(name, name, verdict, translateMessage(rule.meaning)));
    }
}

void ExpectPage::load(const sim::Scenario& scenario)
{
    m_named.clear();
    for (const sim::Expectation& one : scenario.expect) {
        const auto field = std::find_if(m_findings.begin(), m_findings.end(), [&](const Field* each) {
            return each->key().toStdString() == one.finding;
        });
        if (field != m_findings.end() && std::find(m_named.begin(), m_named.end(), *field) == m_named.end()) {
            m_named.push_back(*field);
        }
    }
    for (Field* field : m_findings) {
        const sim::ExpectedOutcome verdict = sim::expected(scenario, field->key().toStdString());
        const std::string text = sim::formatExpectation({"x", verdict});
        field->value().set({{text.substr(2)}});
    }
}

void ExpectPage::write(Draft& draft) const
{
    std::vector<Field*> written = m_named;
    for (Field* field : m_findings) {
        const bool usual = wordOf(*field) == "holds";
        if (!usual && std::find(written.begin(), written.end(), field) == written.end()) {
            written.push_back(field);
        }
    }
    std::vector<std::pair<Field*, QString>> outcomes;
    for (Field* field : written) {
        outcomes.emplace_back(field, field->key() + " " + wordOf(*field));
    }
    draft.putList(QStringLiteral("expect"), outcomes);
}

} // namespace lockscope::ui

#include "moc_expect_page.cpp"
