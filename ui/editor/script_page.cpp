#include "ui/editor/script_page.h"

#include "ui/editor/draft.h"
#include "ui/editor/field.h"
#include "ui/editor/script_completions.h"
#include "ui/editor/script_row.h"

#include <QLineEdit>
#include <QPushButton>
#include <QStringListModel>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

ScriptPage::ScriptPage(QWidget* parent)
    : FormPage(parent)
    , m_conditions(new QStringListModel(this))
    , m_actions(new QStringListModel(this))
    , m_lines(new QVBoxLayout)
    , m_addLine(new QPushButton(tr("&Add Line"), this))
{
    auto* words = new QLabel(tr("Each line is executed once, when its condition is met. Type a few letters "
                                "to see the possible forms."),
                             content());
    words->setWordWrap(true);
    words->setProperty("kind", "hint");
    column()->addWidget(words);
    m_lines->setSpacing(8);
    column()->addLayout(m_lines);
    m_addLine->setObjectName("addLine");
    m_addLine->setAutoDefault(false);
    column()->addWidget(m_addLine, 0, Qt::AlignLeft);
    connect(m_addLine, &QPushButton::clicked, this, &ScriptPage::addLine);
}

ScriptRow* ScriptPage::addRow()
{
    auto* row = new ScriptRow(m_conditions, m_actions, content());
    m_rows.push_back(row);
    m_lines->addWidget(row);
    connect(row, &ScriptRow::changed, this, &ScriptPage::changed);
    connect(row, &ScriptRow::removeRequested, this, [this, row] { remove(row); });
    connect(row, &ScriptRow::moveRequested, this, [this, row](int by) { move(row, by); });
    return row;
}

void ScriptPage::addLine()
{
    ScriptRow* row = addRow();
    numberRows();
    row->show();
    row->condition()->setFocus();
    emit changed();
}

void ScriptPage::remove(ScriptRow* row)
{
    m_rows.erase(std::find(m_rows.begin(), m_rows.end(), row));
    row->hide();
    row->deleteLater();
    numberRows();
    m_addLine->setFocus();
    emit changed();
}

void ScriptPage::move(ScriptRow* row, int by)
{
    const auto at = std::find(m_rows.begin(), m_rows.end(), row) - m_rows.begin();
    const auto to = at + by;
    if (to < 0 || to >= static_cast<std::ptrdiff_t>(m_rows.size())) {
        return;
    }
    std::swap(m_rows[static_cast<std::size_t>(at)], m_rows[static_cast<std::size_t>(to)]);
    m_lines->removeWidget(row);
    m_lines->insertWidget(static_cast<int>(to), row);
    numberRows();
    emit changed();
}

void ScriptPage::numberRows()
{
    int number = 1;
    QWidget* before = nullptr;
    for (ScriptRow* row : m_rows) {
        row->setNumber(number++);
        if (before) {
            setTabOrder(before, row);
        }
        before = row;
    }
}

void ScriptPage::load(const sim::Scenario& scenario)
{
    qDeleteAll(m_rows);
    m_rows.clear();
    setNames(scenario);
    for (const sim::ScriptLine& line : scenario.script) {
        addRow()->setLine(QString::fromStdString(line.text));
    }
    numberRows();
}

void ScriptPage::setNames(const sim::Scenario& scenario)
{
    // Sets the completions only if they change, because their list may be open.
    if (const QStringList conditions = conditionCompletions(scenario);
        conditions != m_conditions->stringList()) {
        m_conditions->setStringList(conditions);
        m_actions->setStringList(actionCompletions(scenario));
    }
}

void ScriptPage::write(Draft& draft) const
{
    std::vector<std::pair<Field*, QString>> lines;
    for (const ScriptRow* row : m_rows) {
        if (!row->empty()) {
            lines.emplace_back(row->field(), row->line());
        }
    }
    draft.putList(QStringLiteral("script"), lines);
}

} // namespace lockscope::ui

#include "moc_script_page.cpp"
