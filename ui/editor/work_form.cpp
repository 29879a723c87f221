#include "ui/editor/work_form.h"

#include "core/sim/scenario/scenario_text.h"
#include "ui/editor/draft.h"
#include "ui/editor/field.h"
#include "ui/editor/value_fields.h"

#include <QCheckBox>
#include <QVBoxLayout>

namespace lockscope::ui {

namespace {

constexpr int kMaxCycles = 1'000'000'000;

// A name with a comma or a quote is put in quotes, with its own quotes doubled.
QString takesText(const QStringList& names)
{
    QStringList shown;
    for (QString name : names) {
        const bool quoted = name.contains(',') || name.contains('"');
        shown += quoted ? '"' + name.replace('"', "\"\"") + '"' : name;
    }
    return shown.join(", ");
}

QStringList takesOf(const QString& text)
{
    QStringList names(1);
    bool quoted = false;
    for (qsizetype at = 0; at < text.size(); ++at) {
        if (quoted && text.mid(at, 2) == "\"\"") {
            names.back() += text[++at];
        } else if (text[at] == '"') {
            quoted = !quoted;
        } else if (text[at] == ',' && !quoted) {
            names += QString();
        } else {
            names.back() += text[at];
        }
    }
    for (QString& name : names) {
        name = name.trimmed();
    }
    return names;
}

bool isUsedBy(const QString& key, Recipe recipe)
{
    if (key == "write_percent") {
        return isReadWrite(recipe);
    }
    if (key == "permits") {
        return isSemaphore(recipe);
    }
    return (key != "takes" && key != "give_back") || recipe != Recipe::multiLock;
}

} // namespace

WorkForm::WorkForm(Owner owner, QWidget* parent)
    : QWidget(parent)
    , m_owner(owner)
    , m_column(new QVBoxLayout(this))
    , m_cycles(new NumberField(0, kMaxCycles, this))
    , m_think(new TimeRangeField(this))
    , m_hold(new TimeRangeField(this))
    , m_reenter(new NumberRangeField(0, 100, this))
    , m_takes(new QLineEdit(this))
    , m_giveBack(new ChoiceField(this))
    , m_writePercent(new NumberField(0, 100, this))
    , m_permits(new NumberRangeField(1, 1'000, this))
    , m_timeout(makeTimeEdit(owner == Owner::own ? tr("like the other clients") : tr("no limit"), this))
    , m_tries(new NumberField(1, 1'000, this))
    , m_revocable(new QCheckBox(tr("release the lock when another client asks for it"), this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(12);
    addTimes();
    addLocks();
    addTimeouts();
    load({}, {});
}

void WorkForm::add(const QString& key, const QString& label, QWidget* control, const QString& hint)
{
    auto* field = new Field(key, label, control, hint, this);
    m_column->addWidget(field);
    m_fields.push_back(field);
    connectEdited(control, this, [this] { emit changed(); });
}

void WorkForm::addTimes()
{
    //: in place of a number of cycles
    m_cycles->setSpecialValueText(tr("unlimited"));
    add("cycles", tr("&Cycles"), m_cycles, tr("How often each client acquires and releases the lock."));
    add("think", tr("&Think"), m_think,
        tr("The time before each acquire call, with a unit: 250us, 20ms, 2s, 1m."));
    add("hold", tr("&Hold"), m_hold, tr("How long the client holds the lock."));
    add("reenter", tr("R&e-entries"), m_reenter, tr("How often the holder acquires the lock again."));
}

void WorkForm::addLocks()
{
    m_takes->setPlaceholderText(m_owner == Owner::own ? tr("like the other clients") : tr("the first lock"));
    add("takes", tr("Ta&kes"), m_takes,
        tr("Locks by the last part of their paths, in this order: left, right. For a read/write lock add the "
           "side: book:read."));
    m_giveBack->add(tr("last acquired first"), "last first");
    m_giveBack->add(tr("first acquired first"), "first first");
    add("give_back", tr("Release &order"), m_giveBack);
    m_writePercent->setSuffix(tr(" %"));
    add("write_percent", tr("&Writes"), m_writePercent,
        tr("The share of cycles that write; the others read."));
    add("permits", tr("&Leases at once"), m_permits);
}

void WorkForm::addTimeouts()
{
    add("acquire_timeout", tr("Gives &up after"), m_timeout);
    add("tries", tr("T&ries"), m_tries, tr("The number of such attempts; then the lock counts as busy."));
    add("revocable", tr("Re&vocable"), m_revocable);
}

void WorkForm::load(const sim::Work& work, const std::vector<std::string>& locks)
{
    m_cycles->setValue(static_cast<int>(work.cycles));
    m_think->setRange(work.think);
    m_hold->setRange(work.hold);
    m_reenter->setNumbers(work.reenterMin, work.reenterMax);
    QStringList takes;
    for (const sim::Take& take : work.takes) {
        takes += QString::fromStdString(sim::formatTake(take, locks));
    }
    m_takes->setText(takesText(takes));
    m_giveBack->setWord(fromUtf8(sim::toString(work.releaseOrder)));
    m_writePercent->setValue(static_cast<int>(work.writePercent));
    m_permits->setNumbers(work.permitsMin, work.permitsMax);
    m_timeout->setText(work.acquireTimeout ? timeText(*work.acquireTimeout) : QString());
    m_tries->setValue(static_cast<int>(work.tries));
    m_revocable->setChecked(work.revocable);
}

void WorkForm::showFieldsFor(Recipe recipe)
{
    m_recipe = recipe;
    for (Field* field : m_fields) {
        field->setVisible(isUsedBy(field->key(), recipe));
    }
}

// A client's own workload has every field, so that it does not change with the common one.
void WorkForm::write(Draft& draft) const
{
    for (Field* field : m_fields) {
        if (!isUsedBy(field->key(), m_recipe)) {
            continue;
        }
        if (field->control() != m_takes) {
            draft.put(field);
        } else if (!m_takes->text().trimmed().isEmpty()) {
            draft.putList(field, takesOf(m_takes->text()));
        }
    }
}

} // namespace lockscope::ui

#include "moc_work_form.cpp"
