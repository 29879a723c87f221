#include "ui/editor/script_row.h"

#include "ui/editor/field.h"
#include "ui/editor/value_fields.h"

#include <QCompleter>
#include <QHBoxLayout>
#include <QStringListModel>
#include <QToolButton>

namespace lockscope::ui {

namespace {

void complete(QLineEdit* edit, QStringListModel* forms)
{
    auto* completer = new QCompleter(forms, edit);
    completer->setFilterMode(Qt::MatchContains);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setMaxVisibleItems(12);
    edit->setCompleter(completer);
}

} // namespace

ScriptRow::ScriptRow(QStringListModel* whens, QStringListModel* deeds, QWidget* parent)
    : QWidget(parent)
    , m_when(new QLineEdit(this))
    , m_deed(new QLineEdit(this))
    , m_up(button(QStringLiteral("↑"), QStringLiteral("moveUp")))
    , m_down(button(QStringLiteral("↓"), QStringLiteral("moveDown")))
    , m_remove(button(QStringLiteral("✕"), QStringLiteral("removeLine")))
{
    m_when->setObjectName("when");
    m_when->setPlaceholderText(tr("when bo waits"));
    m_deed->setObjectName("deed");
    m_deed->setPlaceholderText(tr("kill ada"));
    complete(m_when, whens);
    complete(m_deed, deeds);
    auto* parts = new QWidget(this);
    auto* inner = new QHBoxLayout(parts);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->addWidget(m_when, 2);
    inner->addWidget(new QLabel(QStringLiteral(":"), parts));
    inner->addWidget(m_deed, 3);
    inner->addWidget(m_up);
    inner->addWidget(m_down);
    inner->addWidget(m_remove);
    parts->setFocusProxy(m_when);
    m_field = Field::bare("script", tr("Line of the script"), parts, this);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_field);
    watchEdits(m_when, this, [this] { emit changed(); });
    watchEdits(m_deed, this, [this] { emit changed(); });
    connect(m_up, &QToolButton::clicked, this, [this] { emit moveWanted(-1); });
    connect(m_down, &QToolButton::clicked, this, [this] { emit moveWanted(1); });
    connect(m_remove, &QToolButton::clicked, this, &ScriptRow::removeWanted);
}

QToolButton* ScriptRow::button(const QString& sign, const QString& name)
{
    auto* made = new QToolButton(this);
    made->setText(sign);
    made->setObjectName(name);
    made->setFocusPolicy(Qt::StrongFocus);
    return made;
}

void ScriptRow::setLine(const QString& line)
{
    const qsizetype colon = line.indexOf(": ");
    m_when->setText(colon < 0 ? line : line.left(colon));
    m_deed->setText(colon < 0 ? QString() : line.mid(colon + 2));
}

QString ScriptRow::line() const { return m_when->text().trimmed() + ": " + m_deed->text().trimmed(); }

bool ScriptRow::empty() const
{
    return m_when->text().trimmed().isEmpty() && m_deed->text().trimmed().isEmpty();
}

void ScriptRow::setNumber(int number)
{
    m_when->setAccessibleName(tr("Line %1: when").arg(number));
    m_deed->setAccessibleName(tr("Line %1: what happens").arg(number));
    const auto name = [](QToolButton* button, const QString& text) {
        button->setAccessibleName(text);
        button->setToolTip(text);
    };
    name(m_up, tr("Move line %1 up").arg(number));
    name(m_down, tr("Move line %1 down").arg(number));
    name(m_remove, tr("Remove line %1").arg(number));
}

} // namespace lockscope::ui
