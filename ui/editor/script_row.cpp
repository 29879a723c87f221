#include "ui/editor/script_row.h"

#include "ui/editor/field.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QHBoxLayout>
#include <QLineEdit>
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

ScriptRow::ScriptRow(QStringListModel* conditions, QStringListModel* actions, QWidget* parent)
    : QWidget(parent)
    , m_condition(new QLineEdit(this))
    , m_action(new QLineEdit(this))
    , m_up(button(QStringLiteral("↑"), QStringLiteral("moveUp")))
    , m_down(button(QStringLiteral("↓"), QStringLiteral("moveDown")))
    , m_remove(button(QStringLiteral("✕"), QStringLiteral("removeLine")))
{
    m_condition->setObjectName("when");
    m_condition->setPlaceholderText(tr("when bo waits"));
    m_action->setObjectName("action");
    m_action->setPlaceholderText(tr("kill ada"));
    complete(m_condition, conditions);
    complete(m_action, actions);
    auto* parts = new QWidget(this);
    auto* inner = new QHBoxLayout(parts);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->addWidget(m_condition, 2);
    inner->addWidget(new QLabel(QStringLiteral(":"), parts));
    inner->addWidget(m_action, 3);
    inner->addWidget(m_up);
    inner->addWidget(m_down);
    inner->addWidget(m_remove);
    parts->setFocusProxy(m_condition);
    m_field = Field::bare("script", tr("Line of the script"), Control{parts, {}, {}}, this);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_field);
    // A line that is pasted or typed as a whole begins with the condition.
    connect(m_condition, &QLineEdit::textEdited, this, [this](const QString& text) {
        if (text.contains(QLatin1String(": ")) && m_action->text().isEmpty()) {
            setLine(text);
            m_action->setFocus();
            // The completer opens its list after this signal, and the list would take the keys.
            QMetaObject::invokeMethod(
                this, [this] { m_condition->completer()->popup()->hide(); }, Qt::QueuedConnection);
        }
    });
    for (QLineEdit* edit : {m_condition, m_action}) {
        connect(edit, &QLineEdit::textChanged, this, &ScriptRow::changed);
    }
    connect(m_up, &QToolButton::clicked, this, [this] { emit moveRequested(-1); });
    connect(m_down, &QToolButton::clicked, this, [this] { emit moveRequested(1); });
    connect(m_remove, &QToolButton::clicked, this, &ScriptRow::removeRequested);
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
    m_condition->setText(colon < 0 ? line : line.left(colon));
    m_action->setText(colon < 0 ? QString() : line.mid(colon + 2));
}

QString ScriptRow::line() const { return m_condition->text().trimmed() + ": " + m_action->text().trimmed(); }

bool ScriptRow::empty() const
{
    return m_condition->text().trimmed().isEmpty() && m_action->text().trimmed().isEmpty();
}

void ScriptRow::setNumber(int number)
{
    m_condition->setAccessibleName(tr("Line %1: when").arg(number));
    m_action->setAccessibleName(tr("Line %1: what happens").arg(number));
    const auto name = [](QToolButton* button, const QString& text) {
        button->setAccessibleName(text);
        button->setToolTip(text);
    };
    name(m_up, tr("Move line %1 up").arg(number));
    name(m_down, tr("Move line %1 down").arg(number));
    name(m_remove, tr("Remove line %1").arg(number));
}

} // namespace lockscope::ui

#include "moc_script_row.cpp"
