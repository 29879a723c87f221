#include "ui/editor/expect_page.h"

#include "core/sim/scenario/scenario_text.h"
#include "ui/editor/draft.h"
#include "ui/editor/field.h"
#include "ui/editor/form.h"

#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace lockscope::ui {

namespace {

QString meaning(const QString& finding)
{
    static const std::map<QString, const char*> sentences = {
        {"one_holder", QT_TRANSLATE_NOOP("lockscope::ui::ExpectPage",
                                         "There are never more holders at a time than the lock allows.")},
        {"order_kept",
         QT_TRANSLATE_NOOP("lockscope::ui::ExpectPage", "Clients get the lock in the order of their nodes.")},
        {"no_herd", QT_TRANSLATE_NOOP("lockscope::ui::ExpectPage",
                                      "A release wakes no more clients than can continue.")},
        {"no_orphan_node", QT_TRANSLATE_NOOP("lockscope::ui::ExpectPage",
                                             "No node stays behind without a client that knows of it.")},
        {"no_lost_wakeup",
         QT_TRANSLATE_NOOP("lockscope::ui::ExpectPage", "Each client that can continue is notified.")},
        {"tokens_increase",
         QT_TRANSLATE_NOOP("lockscope::ui::ExpectPage",
                           "The resource never accepts an older token after a newer one.")},
        {"belief_matches_server",
         QT_TRANSLATE_NOOP("lockscope::ui::ExpectPage",
                           "A client that believes it holds the lock does hold it.")},
        {"no_deadlock",
         QT_TRANSLATE_NOOP("lockscope::ui::ExpectPage", "No clients wait for each other in a cycle.")},
        {"no_stray_watch", QT_TRANSLATE_NOOP("lockscope::ui::ExpectPage", "No unneeded watch stays behind.")},
    };
    const auto found = sentences.find(finding);
    return found == sentences.end() ? QString() : ExpectPage::tr(found->second);
}

QString wordOf(const Field& field) { return field.value().toml(); }

} // namespace

ExpectPage::ExpectPage(QWidget* parent)
    : FormPage(parent)
{
    const Controls make = form().controls();
    for (const QString& finding : QString::fromStdString(sim::findingNames()).split(", ")) {
        //: a choice for what is expected of a finding: it is kept
        const Control verdict = make.choice({{tr("holds"), "holds"},
                                             {tr("is violated"), "violated"},
                                             //: a choice for what is expected of a finding: kept or violated
                                             {tr("either"), "either"}},
                                            false);
        m_findings.push_back(form().add(finding, finding, verdict, meaning(finding)));
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
