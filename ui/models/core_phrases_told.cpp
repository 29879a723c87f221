#include "ui/models/core_phrases.h"

#include <QtGlobal>

#include <array>

// Where one text fits into another, the longer one comes first.

namespace lockscope::ui::phrases {

namespace {

constexpr std::array kSentences{
    // Proofs of violations (core/replay/judge*.cpp).
    QT_TRANSLATE_NOOP("Core", "%1 was granted the lock while %2 held it with a live node."),
    QT_TRANSLATE_NOOP("Core", "%1 was granted a lease while %2 of %3 were out."),
    QT_TRANSLATE_NOOP("Core", "%1 was inside the protected section together with %2."),
    QT_TRANSLATE_NOOP("Core", "%1 was granted the lock with %2 while %3 of %4 was still in front."),
    QT_TRANSLATE_NOOP("Core", "%1 was granted the lock with %2 while %3 was still in front."),
    QT_TRANSLATE_NOOP("Core", "%1 was granted the lock with token %2, not above %3 of an earlier grant."),
    QT_TRANSLATE_NOOP("Core",
                      "%1 believes that it holds the lock, but its %2 is gone; its token %3 was refused."),
    QT_TRANSLATE_NOOP("Core", "%1 believes that it holds the lock, but its %2 is gone."),
    QT_TRANSLATE_NOOP("Core", "%1 believed it held for %2 after its %3 was gone; its token %4 was refused."),
    QT_TRANSLATE_NOOP("Core", "%1 believed it held for %2 after its %3 was gone."),
    QT_TRANSLATE_NOOP("Core", "%1 was the %2 client woken by %3."),
    QT_TRANSLATE_NOOP("Core",
                      "%1 set a watch on %2, which is gone and never comes back: the server keeps the watch "
                      "as long as the session."),
    QT_TRANSLATE_NOOP("Core",
                      "%1 is done and never knew of %2, which blocks the queue until its session ends."),
    QT_TRANSLATE_NOOP("Core", "%1 is done, but its %2 remains."),
    QT_TRANSLATE_NOOP("Core", "%1 of %2 remains at the end, and %3 does not know of it."),
    QT_TRANSLATE_NOOP("Core", "%1 of %2 stayed until its session expired."),
    QT_TRANSLATE_NOOP("Core", "%1 still sleeps on %2, which is gone: its watch never fired."),
    // Why the server serves nobody (core/engine).
    QT_TRANSLATE_NOOP("Core", "its process has ended"),
    QT_TRANSLATE_NOOP("Core", "it is stopped"),
    QT_TRANSLATE_NOOP("Core", "too few of its servers run"),
    QT_TRANSLATE_NOOP("Core", "no client has contact"),
    // Notices (core/sim, core/engine).
    QT_TRANSLATE_NOOP("Core", "ZooKeeper is started again, with its data."),
    QT_TRANSLATE_NOOP("Core", "A reply was lost on its way, and the connection with it."),
    QT_TRANSLATE_NOOP("Core", "%1 tried %2 times for %3: the lock is busy, it does without."),
    QT_TRANSLATE_NOOP(
        "Core", "\"%1\" under %2 belongs to %3. It counts in the queue by its name, as for every Curator "
                "client: if it sorts first, everybody waits for it."),
    QT_TRANSLATE_NOOP(
        "Core", "The order of steps says \"%1\", but %2 stands before %3. Everybody is held from here on."),
    QT_TRANSLATE_NOOP("Core", "The access list of %1 does not give a client the right \"%2\"."),
    QT_TRANSLATE_NOOP("Core", "%1 starts at %2, when the run of %3 is over: it takes no part."),
    QT_TRANSLATE_NOOP("Core", "\"%1\" comes when the run of %2 is over, or ends."),
    QT_TRANSLATE_NOOP("Core", "No client has had contact with ZooKeeper for %1: the run is cut short."),
    QT_TRANSLATE_NOOP("Core", "The run went on for %1 after its duration and is cut short: %2."),
    QT_TRANSLATE_NOOP("Core", "Nothing goes on by itself any more, and the run is cut short: %1."),
    // Why a command was refused.
    QT_TRANSLATE_NOOP("Core", "This run only watches: it changes nothing."),
    QT_TRANSLATE_NOOP("Core", "Nobody holds the lock at this moment."),
    QT_TRANSLATE_NOOP("Core", "Nobody waits at this moment."),
    QT_TRANSLATE_NOOP("Core", "Nobody stands before a step at this moment."),
    QT_TRANSLATE_NOOP("Core", "There is no client \"%1\" now."),
    QT_TRANSLATE_NOOP("Core", "There never was a client \"%1\"."),
    QT_TRANSLATE_NOOP("Core", "There is no such client any more."),
    QT_TRANSLATE_NOOP("Core", "There are %1 clients already."),
    QT_TRANSLATE_NOOP("Core", "It has no node in the queue."),
    QT_TRANSLATE_NOOP("Core", "Only a semaphore has leases."),
    QT_TRANSLATE_NOOP("Core", "This ZooKeeper is not LockScope's own: it is left alone."),
    QT_TRANSLATE_NOOP("Core",
                      "The clients of this run are connected directly: set links = true in the scenario."),
    QT_TRANSLATE_NOOP("Core", "%1 has no session yet."),
    QT_TRANSLATE_NOOP("Core",
                      "This server does not show its watches: add wchp to 4lw.commands.whitelist in its "
                      "configuration."),
    QT_TRANSLATE_NOOP("Core", "%1 is frozen already."),
    QT_TRANSLATE_NOOP("Core", "%1 is not frozen."),
    QT_TRANSLATE_NOOP("Core", "%1 is still there."),
    QT_TRANSLATE_NOOP("Core", "%1 does not stand before a step."),
    // Why a lock was not acquired, or an acquire begins again (core/lock).
    QT_TRANSLATE_NOOP("Core", "The lock %1 was not free in time."),
    QT_TRANSLATE_NOOP("Core", "Waiting for the lock %1 was cancelled."),
    QT_TRANSLATE_NOOP("Core", "The lock %1 was not acquired: the session is lost."),
    QT_TRANSLATE_NOOP("Core", "The lock %1 was not acquired: the mutex was closed."),
    QT_TRANSLATE_NOOP("Core", "The semaphore %1 had not enough leases free in time."),
    QT_TRANSLATE_NOOP("Core", "Waiting for the semaphore %1 was cancelled."),
    QT_TRANSLATE_NOOP("Core", "The semaphore %1 gave no lease: the session is lost."),
    QT_TRANSLATE_NOOP("Core", "The semaphore %1 gave no lease: it was closed."),
    QT_TRANSLATE_NOOP("Core", "the own node is missing from the queue"),
    QT_TRANSLATE_NOOP("Core", "an own lease is missing from the list"),
    QT_TRANSLATE_NOOP("Core", "the node in %1/locks is gone"),
    QT_TRANSLATE_NOOP("Core", "the reply to the create was lost"),
    QT_TRANSLATE_NOOP("Core", "the node found belongs to another session"),
    QT_TRANSLATE_NOOP("Core", "creating the node failed, %1"),
    QT_TRANSLATE_NOOP("Core", "looking for the node failed, %1"),
    QT_TRANSLATE_NOOP("Core", "listing the leases failed, %1"),
    QT_TRANSLATE_NOOP("Core", "listing the children failed, %1"),
    QT_TRANSLATE_NOOP("Core", "watching the node ahead failed, %1"),
    // Why nothing runs (core/server, core/engine), and what to do about it.
    QT_TRANSLATE_NOOP("Core", "Java is not installed."),
    QT_TRANSLATE_NOOP("Core", "ZooKeeper is not installed: there is no %1."),
    QT_TRANSLATE_NOOP("Core", "Install it with: %1."),
    QT_TRANSLATE_NOOP("Core", "The private ZooKeeper took no session in time."),
    QT_TRANSLATE_NOOP("Core", "The private ZooKeeper does not run."),
    QT_TRANSLATE_NOOP("Core", "No ZooKeeper answers at %1: no session was given in %2."),
    QT_TRANSLATE_NOOP("Core", "No ZooKeeper answers at %1: %2"),
    QT_TRANSLATE_NOOP("Core", "What answers at %1 is no ZooKeeper."),
    QT_TRANSLATE_NOOP("Core", "The start of the run was given up."),
    QT_TRANSLATE_NOOP("Core",
                      "Check the address, or leave --connect out: LockScope starts a ZooKeeper of its own."),
    QT_TRANSLATE_NOOP("Core", "There is no scenario \"%1\"."),
    QT_TRANSLATE_NOOP("Core", "Nobody attends to this run: its steps are taken in turn, one at a time."),
    QT_TRANSLATE_NOOP("Core", "Session ids are the real ones here: whoever knows one can take the session over."),
    // Why steps alone do not lead to a moment (core/sim/step_order).
    QT_TRANSLATE_NOOP("Core", "The trace does not say which scenario it is of."),
    QT_TRANSLATE_NOOP("Core", "With several servers the same steps may lead elsewhere."),
    QT_TRANSLATE_NOOP("Core", "Clients of this scenario wait for a limited time, which would pass differently."),
    QT_TRANSLATE_NOOP("Core", "With this recipe only steps taken by hand can be taken again, and not everybody "
                              "was held from the start."),
    QT_TRANSLATE_NOOP("Core", "More than %1 steps lead here."),
    QT_TRANSLATE_NOOP("Core", "Steps alone do not lead here: before it, %1 was done to %2."),
    QT_TRANSLATE_NOOP("Core", "Steps alone do not lead here: before it, there was %1."),
    QT_TRANSLATE_NOOP("Core", "Steps alone do not lead here: %1 left before."),
    QT_TRANSLATE_NOOP("Core", "Steps alone do not lead here: %1 was without its session before."),
    QT_TRANSLATE_NOOP("Core", "Steps alone do not lead here: %1 did not get a lock before, or lost one."),
    QT_TRANSLATE_NOOP("Core", "Steps alone do not lead here: the node %1 of another program was in the queue."),
    QT_TRANSLATE_NOOP("Core", "The time of the run is up here: nobody begins anything any more."),
    QT_TRANSLATE_NOOP("Core", "The run is over here."),
    // What a protected resource is.
    QT_TRANSLATE_NOOP("Core", "stock"),
    QT_TRANSLATE_NOOP("Core", "order"),
    // Findings by the names that reports give them.
    QT_TRANSLATE_NOOP("Core", "one_holder"),
    QT_TRANSLATE_NOOP("Core", "order_kept"),
    QT_TRANSLATE_NOOP("Core", "no_herd"),
    QT_TRANSLATE_NOOP("Core", "no_orphan_node"),
    QT_TRANSLATE_NOOP("Core", "no_lost_wakeup"),
    QT_TRANSLATE_NOOP("Core", "tokens_increase"),
    QT_TRANSLATE_NOOP("Core", "belief_matches_server"),
    QT_TRANSLATE_NOOP("Core", "no_deadlock"),
    QT_TRANSLATE_NOOP("Core", "no_stray_watch"),
    // What is wrong with a protected value.
    QT_TRANSLATE_NOOP("Core", "%1 were taken of %2"),
    QT_TRANSLATE_NOOP("Core", "this number is there already"),
    QT_TRANSLATE_NOOP("Core", "a later one is there already"),
};

// ZooKeeper's words for what a server is.
constexpr std::array kModes{QT_TRANSLATE_NOOP("Core", "leader"), QT_TRANSLATE_NOOP("Core", "follower"),
                            QT_TRANSLATE_NOOP("Core", "standalone")};

// What stands for %1 and its like where it is words and not a name.
constexpr std::array kCorePhrasesToldParts{
    QT_TRANSLATE_NOOP("Core", "node %1 going"),    QT_TRANSLATE_NOOP("Core", "node %1"),
    QT_TRANSLATE_NOOP("Core", "client %1"),        QT_TRANSLATE_NOOP("Core", "one change of the list"),
    QT_TRANSLATE_NOOP("Core", "second"),           QT_TRANSLATE_NOOP("Core", "%1th"),
    QT_TRANSLATE_NOOP("Core", "somebody else"),    QT_TRANSLATE_NOOP("Core", "somebody"),
    QT_TRANSLATE_NOOP("Core", "session"),          QT_TRANSLATE_NOOP("Core", "node"),
    QT_TRANSLATE_NOOP("Core", "itself"),           QT_TRANSLATE_NOOP("Core", "another program's client"),
    QT_TRANSLATE_NOOP("Core", "nobody's session"), QT_TRANSLATE_NOOP("Core", "the end of the line"),
    QT_TRANSLATE_NOOP("Core", "an empty line"),
};

// A circle of waits is as long as it is.
constexpr std::array kClauses{
    QT_TRANSLATE_NOOP("Core", "%1 holds %2 and waits for %3 on %4"),
    QT_TRANSLATE_NOOP("Core", "%1 waits for %2 on %3"),
    QT_TRANSLATE_NOOP("Core", "and so on over %1 more"),
};

} // namespace

List told() { return kSentences; }

List modes() { return kModes; }

List partsOfTold() { return kCorePhrasesToldParts; }

List clauses() { return kClauses; }

} // namespace lockscope::ui::phrases
