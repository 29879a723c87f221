#include "ui/editor/lock_page.h"

#include "core/sim/scenario/scenario_text.h"
#include "ui/editor/draft.h"
#include "ui/editor/field.h"
#include "ui/editor/value_fields.h"

#include <QCheckBox>
#include <QPlainTextEdit>

namespace lockscope::ui {

namespace {

const QString kStock = QStringLiteral("stock");

void addRecipes(ChoiceField& choice)
{
    const auto add = [&choice](Recipe recipe, const QString& text) {
        const QString word = fromUtf8(nameOf(recipe));
        choice.add(QStringLiteral("%1 (%2)").arg(text, word), word);
    };
    //: a choice: a recipe for locks
    add(Recipe::mutex, LockPage::tr("Mutex"));
    add(Recipe::readWrite, LockPage::tr("Read/write lock"));
    //: a choice: a recipe for locks
    add(Recipe::semaphore, LockPage::tr("Semaphore"));
    add(Recipe::semaphoreMutex, LockPage::tr("Non-reentrant mutex"));
    add(Recipe::multiLock, LockPage::tr("Several locks as one"));
    choice.insertSeparator(choice.count());
    add(Recipe::herd, LockPage::tr("Every waiter watches one node"));
    add(Recipe::herdReadWrite, LockPage::tr("Read/write, every waiter watches the list"));
    add(Recipe::existsMutex, LockPage::tr("Watches with exists"));
    add(Recipe::unprotectedMutex, LockPage::tr("Loses its node when a reply is lost"));
    add(Recipe::oldReadWrite, LockPage::tr("Read/write with the old downgrade"));
    add(Recipe::none, LockPage::tr("No lock at all"));
}

} // namespace

LockPage::LockPage(QWidget* parent)
    : FormPage(parent)
    , m_locks(new QPlainTextEdit(this))
    , m_recipe(new ChoiceField(this))
    , m_leases(new NumberField(1, 10'000, this))
    , m_handoff(new ChoiceField(this))
    , m_resource(new ChoiceField(this))
    , m_stock(new NumberField(1, 1'000'000'000, this))
    , m_fenced(new QCheckBox(tr("refuse tokens older than the newest one seen"), this))
{
    m_locks->setTabChangesFocus(true);
    m_locks->setFixedHeight(84);
    m_locks->setPlaceholderText("/locks/well");
    add("locks", tr("&Locks"), m_locks, tr("A path on each line."));
    addRecipes(*m_recipe);
    add("recipe", tr("&Recipe"), m_recipe);
    add("leases", tr("L&eases"), m_leases, tr("The maximum number of leases held at once."));
    m_handoff->add(tr("like Curator: list again after every wake-up"), "curator");
    m_handoff->add(tr("announced: the holder announces its hold"), "announced");
    add("handoff", tr("&Handoff"), m_handoff);
    m_resource->add(tr("a section: checks who is inside, and with which token"), "section");
    m_resource->add(tr("a stock: each holder takes one item"), kStock);
    m_resource->add(tr("order numbers from the clock"), "order numbers");
    add("resource", tr("&Protects"), m_resource);
    add("stock", tr("Initial &stock"), m_stock);
    add("fenced", tr("&Fencing"), m_fenced);
    connect(this, &FormPage::changed, this, &LockPage::showOptions);
    showOptions();
}

void LockPage::showOptions()
{
    const Recipe shown = recipe();
    Field::of(m_leases)->setVisible(isSemaphore(shown));
    Field::of(m_handoff)->setVisible(shown == Recipe::mutex);
    Field::of(m_stock)->setVisible(m_resource->word() == kStock);
}

Recipe LockPage::recipe() const
{
    return sim::parseRecipe(m_recipe->word().toStdString()).value_or(Recipe::mutex);
}

void LockPage::load(const sim::Scenario& scenario)
{
    QStringList paths;
    for (const std::string& path : scenario.locks) {
        paths += QString::fromStdString(path);
    }
    m_locks->setPlainText(paths.join('\n'));
    m_recipe->setWord(fromUtf8(nameOf(scenario.recipe)));
    m_leases->setValue(static_cast<int>(scenario.leases));
    m_handoff->setWord(fromUtf8(nameOf(scenario.handoff)));
    const bool stock = scenario.resource.kind == sim::ResourceContent::Kind::stock;
    m_resource->setWord(stock ? kStock
                              : QString::fromStdString(sim::formatResourceContent(scenario.resource)));
    m_stock->setValue(stock ? static_cast<int>(scenario.resource.start) : 1'000);
    m_fenced->setChecked(scenario.fencedResource);
    showOptions();
}

void LockPage::write(Draft& draft) const
{
    draft.putList(Field::of(m_locks), linesOf(*m_locks));
    draft.put(Field::of(m_recipe));
    if (isSemaphore(recipe())) {
        draft.put(Field::of(m_leases));
    }
    if (recipe() == Recipe::mutex) {
        draft.put(Field::of(m_handoff));
    }
    const QString word = m_resource->word();
    draft.put(Field::of(m_resource),
              tomlString(word == kStock ? QStringLiteral("stock %1").arg(m_stock->value()) : word));
    draft.put(Field::of(m_fenced));
}

} // namespace lockscope::ui

#include "moc_lock_page.cpp"
