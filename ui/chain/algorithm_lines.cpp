#include "ui/chain/algorithm_lines.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope::ui::chain {

using replay::Step;

namespace {

constexpr const char* kContext = "AlgorithmLines";

using Lines = std::vector<AlgorithmLine>;

AlgorithmLine title(const char* code) { return {code, "", 0, true, {}}; }

AlgorithmLine line(int indent, const char* code, Step step = Step::none, const char* comment = "")
{
    return {code, comment, indent, false, {step, Step::none}};
}

// The common lines of all queues. Recipes differ in how they create, list, decide whose turn it is, and wait.
Lines queueLines(const char* create, const char* list, AlgorithmLine turn, Lines wait)
{
    Lines lines{title("acquire():"),
                line(1, "depth += 1; if depth > 1: return", Step::reenter),
                line(1, create, Step::create),
                line(1, "loop:"),
                line(2, list, Step::list),
                line(2, "i = index(me)", Step::decide),
                turn};
    lines.insert(lines.end(), wait.begin(), wait.end());
    lines.push_back(title("release():"));
    lines.push_back({"depth -= 1; if depth == 0: delete(me)", "", 1, false, {Step::release, Step::remove}});
    return lines;
}

constexpr const char* kSequential = "me = create(EPHEMERAL_SEQUENTIAL)";
constexpr const char* kSorted = "kids = sort(getChildren())";
constexpr const char* kHold = QT_TRANSLATE_NOOP("AlgorithmLines", "we hold it");
constexpr const char* kLeft = QT_TRANSLATE_NOOP("AlgorithmLines", "just deleted");
constexpr const char* kNoList = QT_TRANSLATE_NOOP("AlgorithmLines", "no list");
constexpr const char* kStays = QT_TRANSLATE_NOOP("AlgorithmLines", "the watch stays");
constexpr const char* kOneAtATime = QT_TRANSLATE_NOOP("AlgorithmLines", "one at a time");
constexpr const char* kNoLock = QT_TRANSLATE_NOOP("AlgorithmLines", "nobody is kept out");
constexpr const char* kAllWoken = QT_TRANSLATE_NOOP("AlgorithmLines", "all are woken");

const AlgorithmLine kFirst = line(2, "if i == 0: return", Step::hold, kHold);
const AlgorithmLine kSleep = line(2, "sleep until the watch fires", Step::sleep);
const AlgorithmLine kNoNode = line(2, "if NoNode: continue", Step::none, kLeft);

const Lines kCurator = queueLines(kSequential, kSorted, kFirst,
                                  {line(2, "watch = getData(kids[i-1])", Step::watch), kNoNode, kSleep});
const Lines kAnnounced =
    queueLines(kSequential, kSorted, line(2, "if i == 0: announce(me); return", Step::hold, kHold),
               {line(2, "watch = getData(kids[i-1])", Step::watch), kNoNode, kSleep,
                line(2, "if kids[i-1] had announced: return", Step::none, kNoList)});
const Lines kExists = queueLines(kSequential, kSorted, kFirst,
                                 {line(2, "watch = exists(kids[i-1])", Step::watch),
                                  line(2, "if NoNode: continue", Step::none, kStays), kSleep});
const Lines kReadWrite =
    queueLines("me = create(READ or WRIT, SEQUENTIAL)", kSorted,
               line(2, "if nothing is in the way: return", Step::hold, kHold),
               {line(2, "watch = getData(writer or kids[i-1])", Step::watch), kNoNode, kSleep});
const Lines kHerdReadWrite =
    queueLines("me = create(host-R or -W, SEQUENTIAL)", "kids = sort(getChildren(watch))",
               line(2, "if nothing is in the way: return", Step::hold, kHold),
               {line(2, "sleep until the children change", Step::sleep, kAllWoken)});
// The queue of the leases. The entrance is a mutex and is shown as one.
const Lines kSemaphore{title("acquire():"),
                       line(1, "entrance.acquire()", Step::none, kOneAtATime),
                       line(1, "me = create(EPHEMERAL_SEQUENTIAL)", Step::create),
                       line(1, "loop:"),
                       line(2, "kids = getChildren(watch)", Step::list),
                       {"if len(kids) <= leases: break", kHold, 2, false, {Step::decide, Step::hold}},
                       line(2, "sleep until the children change", Step::sleep),
                       line(1, "entrance.release(); return"),
                       title("release():"),
                       {"delete(me)", "", 1, false, {Step::release, Step::remove}}};
const Lines kHerd{title("acquire():"),
                  line(1, "depth += 1; if depth > 1: return", Step::reenter),
                  line(1, "loop:"),
                  line(2, "create(lock, EPHEMERAL)", Step::create),
                  line(2, "if it was made: return", Step::hold, kHold),
                  line(2, "watch = exists(lock)", Step::watch),
                  line(2, "sleep until the watch fires", Step::sleep, kAllWoken),
                  title("release():"),
                  {"depth -= 1; if depth == 0: delete(lock)", "", 1, false, {Step::release, Step::remove}}};

// No lock: a client only enters and leaves.
const Lines kLockless{title("acquire():"), line(1, "return", Step::hold, kNoLock), title("release():"),
                      line(1, "return", Step::release)};

} // namespace

const std::vector<AlgorithmLine>& algorithmLines(Recipe recipe, bool announced)
{
    switch (recipe) {
    case Recipe::readWrite:
    case Recipe::oldReadWrite:
        return kReadWrite;
    case Recipe::none:
        return kLockless;
    case Recipe::herdReadWrite:
        return kHerdReadWrite;
    case Recipe::semaphore:
    case Recipe::semaphoreMutex:
        return kSemaphore;
    case Recipe::herd:
        return kHerd;
    case Recipe::existsMutex:
        return kExists;
    default:
        return announced ? kAnnounced : kCurator;
    }
}

int lineOf(const std::vector<AlgorithmLine>& lines, Step step)
{
    const auto found =
        std::find_if(lines.begin(), lines.end(), [step](const AlgorithmLine& line) { return line.is(step); });
    return found == lines.end() ? -1 : static_cast<int>(found - lines.begin());
}

Step stepOf(GateStep step)
{
    switch (step) {
    case GateStep::create:
    case GateStep::created:
        return Step::create;
    case GateStep::woken:
    case GateStep::list:
        return Step::list;
    case GateStep::decide:
        return Step::decide;
    case GateStep::watch:
        return Step::watch;
    case GateStep::sleep:
        return Step::sleep;
    case GateStep::acquired:
        return Step::hold;
    case GateStep::reenter:
        return Step::reenter;
    case GateStep::release:
        return Step::release;
    case GateStep::remove:
    case GateStep::gone:
        break;
    }
    return Step::remove;
}

std::vector<GateStep> gatesOf(const AlgorithmLine& line)
{
    std::vector<GateStep> gates;
    for (int i = 0; i <= static_cast<int>(GateStep::gone); ++i)
        if (line.is(stepOf(static_cast<GateStep>(i))))
            gates.push_back(static_cast<GateStep>(i));
    return gates;
}

std::vector<GateStep> breakpointsOf(const AlgorithmLine& line)
{
    std::vector<GateStep> gates = gatesOf(line);
    std::erase_if(gates, [](GateStep gate) {
        return gate == GateStep::created || gate == GateStep::woken || gate == GateStep::gone;
    });
    return gates;
}

QString commentOf(const AlgorithmLine& line)
{
    return *line.comment ? QCoreApplication::translate(kContext, line.comment) : QString();
}

} // namespace lockscope::ui::chain
