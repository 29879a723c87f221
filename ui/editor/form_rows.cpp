#include "ui/editor/form_rows.h"

#include "core/sim/scenario/scenario_text.h"
#include "ui/editor/form.h"

namespace lockscope::ui {

namespace {

struct FormRows
{
    Q_DECLARE_TR_FUNCTIONS(FormRows)
};

std::vector<Controls::Choice> recipes()
{
    std::vector<Controls::Choice> all;
    const auto add = [&all](Recipe recipe, const QString& text) {
        const std::string_view word = nameOf(recipe);
        const QString name = QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
        all.push_back({QStringLiteral("%1 (%2)").arg(text, name), name});
    };
    //: a choice: a recipe for locks
    add(Recipe::mutex, FormRows::tr("Mutex"));
    add(Recipe::readWrite, FormRows::tr("Read/write lock"));
    //: a choice: a recipe for locks
    add(Recipe::semaphore, FormRows::tr("Semaphore"));
    add(Recipe::semaphoreMutex, FormRows::tr("Non-reentrant mutex"));
    add(Recipe::multiLock, FormRows::tr("Several locks as one"));
    all.push_back({});
    add(Recipe::herd, FormRows::tr("Every waiter watches one node"));
    add(Recipe::herdReadWrite, FormRows::tr("Read/write, every waiter watches the list"));
    add(Recipe::existsMutex, FormRows::tr("Watches with exists"));
    add(Recipe::unprotectedMutex, FormRows::tr("Loses its node when a reply is lost"));
    add(Recipe::oldReadWrite, FormRows::tr("Read/write with the old downgrade"));
    add(Recipe::none, FormRows::tr("No lock at all"));
    return all;
}

} // namespace

void addDescriptionRows(Form& form)
{
    const Controls make = form.controls();
    form.add("title", FormRows::tr("&Title"), make.line(),
             FormRows::tr("One line. Empty: the file name is used."));
    form.add("text", FormRows::tr("Te&xt"), make.paragraph(),
             FormRows::tr("What the reader should look at."));
    form.add("title_zh", FormRows::tr("Title in &Chinese"), make.line());
    form.add("text_zh", FormRows::tr("Text in C&hinese"), make.paragraph());
}

void addArrivalRows(Form& form)
{
    const Controls make = form.controls();
    form.add("workers", FormRows::tr("&Workers of each"), make.number(1, static_cast<int>(sim::kMaxClients)),
             FormRows::tr("Workers share the session of their client, as the threads of a process do."));
    form.add("arrival", FormRows::tr("Arri&val"),
             make.choice({{FormRows::tr("all at once"), "at once"},
                          {FormRows::tr("together, when all are connected"), "together"},
                          {FormRows::tr("in groups of"), "together by "},
                          {FormRows::tr("one after the other, every"), "every "},
                          {FormRows::tr("at random (Poisson), on average every"), "poisson "}}));
}

void addLockRows(Form& form)
{
    const Controls make = form.controls();
    form.add("locks", FormRows::tr("&Locks"), make.list(84, "/locks/well"),
             FormRows::tr("A path on each line."));
    form.add("recipe", FormRows::tr("&Recipe"), make.choice(recipes()));
    form.add("leases", FormRows::tr("L&eases"), make.number(1, 10'000),
             FormRows::tr("The maximum number of leases held at once."));
    form.add("handoff", FormRows::tr("&Handoff"),
             make.choice({{FormRows::tr("like Curator: list again after every wake-up"), "curator"},
                          {FormRows::tr("announced: the holder announces its hold"), "announced"}}));
    form.add("resource", FormRows::tr("&Protects"),
             make.choice({{FormRows::tr("a section: checks who is inside, and with which token"), "section"},
                          {FormRows::tr("a stock: each holder takes one item; at first"), "stock "},
                          {FormRows::tr("order numbers from the clock"), "order numbers"}}));
    form.add("fenced", FormRows::tr("&Fencing"),
             make.flag(FormRows::tr("refuse tokens older than the newest one seen")));
}

void addWorkRows(Form& form, WorkOf owner)
{
    const Controls make = form.controls();
    const QString likeOthers = FormRows::tr("like the other clients");
    //: in place of a number of cycles
    const QString unlimited = FormRows::tr("unlimited");
    const bool common = owner == WorkOf::allClients;
    form.add("cycles", FormRows::tr("&Cycles"), make.number(0, 1'000'000'000, {}, unlimited),
             FormRows::tr("How often each client acquires and releases the lock."));
    form.add("think", FormRows::tr("&Think"), make.times(),
             FormRows::tr("The time before each acquire call, with a unit: 250us, 20ms, 2s, 1m."));
    form.add("hold", FormRows::tr("&Hold"), make.times(),
             FormRows::tr("How long the client holds the lock."));
    form.add("reenter", FormRows::tr("R&e-entries"), make.numbers(0, 100),
             FormRows::tr("How often the holder acquires the lock again."));
    form.add(
        "takes", FormRows::tr("Ta&kes"), make.takes(common ? FormRows::tr("the first lock") : likeOthers),
        FormRows::tr("Locks by the last part of their paths, in this order: left, right. For a read/write "
                     "lock add the side: book:read."));
    form.add("give_back", FormRows::tr("Release &order"),
             make.choice({{FormRows::tr("last acquired first"), "last first"},
                          {FormRows::tr("first acquired first"), "first first"}}));
    form.add("write_percent", FormRows::tr("&Writes"), make.number(0, 100, FormRows::tr(" %")),
             FormRows::tr("The share of cycles that write; the others read."));
    form.add("permits", FormRows::tr("&Leases at once"), make.numbers(1, 1'000));
    form.add("acquire_timeout", FormRows::tr("Gives &up after"),
             make.line(common ? FormRows::tr("no limit") : likeOthers));
    form.add("tries", FormRows::tr("T&ries"), make.number(1, 1'000),
             FormRows::tr("The number of such attempts; then the lock counts as busy."));
    form.add("revocable", FormRows::tr("Re&vocable"),
             make.flag(FormRows::tr("release the lock when another client asks for it")));
}

void addRunRows(Form& form)
{
    const Controls make = form.controls();
    form.add("duration", FormRows::tr("&Duration"), make.line(FormRows::tr("until all cycles are done")),
             FormRows::tr("No client starts a new cycle after this time."));
    form.add("seed", FormRows::tr("See&d"), make.digits(),
             FormRows::tr("The same seed draws the same times."));
    form.add("session_timeout", FormRows::tr("Session &timeout"), make.line(FormRows::tr("10s")));
    form.add("pace", FormRows::tr("&Pace"), make.line(FormRows::tr("no delay")),
             FormRows::tr("The delay before every protocol step."));
    form.add(
        "servers", FormRows::tr("&ZooKeeper"),
        make.choice({{FormRows::tr("one private server"), "1"}, {FormRows::tr("three private servers"), "3"}},
                    false));
    form.add("connect", FormRows::tr("&Address"), make.line(FormRows::tr("the private servers")),
             FormRows::tr("Servers of your own instead: HOST:PORT, separated by commas."));
    form.add("join_foreign", FormRows::tr("&Join"),
             make.flag(FormRows::tr("also a lock in which other programs have nodes")));
    form.add("replace_workers", FormRows::tr("&Workers"),
             make.flag(FormRows::tr("of several machines: a spare one takes the place of one that dies")));
    form.add("links", FormRows::tr("&Links that can fail"),
             make.choice({{FormRows::tr("when the script needs them"), {}},
                          //: a choice for whether clients connect through links that can fail
                          {FormRows::tr("always"), "true"},
                          //: a choice for whether clients connect through links that can fail
                          {FormRows::tr("never"), "false"}},
                         false));
    form.add("stepping", FormRows::tr("&Stepping"),
             make.flag(FormRows::tr("stop every client before each step, from the start")));
    form.add("steps", FormRows::tr("St&eps"), make.list(130, "ada create\nbo create"),
             FormRows::tr("A client and its step on each line, in the order in which they are taken: %1.")
                 .arg(QString::fromStdString(sim::stepNames())));
}

} // namespace lockscope::ui
