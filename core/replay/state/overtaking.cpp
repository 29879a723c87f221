#include "core/replay/state/overtaking.h"

#include <algorithm>

namespace lockscope::replay::overtaking {

namespace {

std::size_t placeOf(const std::vector<OpenWait>& waits, EventIndex call)
{
    return static_cast<std::size_t>(std::ranges::lower_bound(waits, call, {}, &OpenWait::called) -
                                    waits.begin());
}

// All grants since the waiter first fell asleep, minus those to acquires that were called before that.
std::uint64_t overtakings(const LockBookkeeping& book, std::size_t place)
{
    const OpenWait& wait = book.waits[place];
    if (!wait.firstAsleep.valid())
        return 0;
    const std::uint64_t all = book.grants - wait.grantsBefore;
    const std::uint64_t stillOpen = placeOf(book.waits, wait.firstAsleep) - 1; // without the waiter itself
    const std::uint64_t toOlder = wait.older - wait.olderFailed - stillOpen;
    return all - toOlder;
}

void note(const LockBookkeeping& book, std::size_t place, Statistics& statistics)
{
    statistics.longestOvertaking = std::max(statistics.longestOvertaking, overtakings(book, place));
}

bool isAt(const LockBookkeeping& book, std::size_t place, EventIndex call)
{
    return place < book.waits.size() && book.waits[place].called == call;
}

} // namespace

void called(LockBookkeeping& book, EventIndex call)
{
    const std::size_t place = placeOf(book.waits, call);
    if (isAt(book, place, call))
        return;
    OpenWait wait;
    wait.called = call;
    // Nearly always the latest call. A call that is counted late may precede the moment other waiters fell
    // asleep.
    for (OpenWait& other : book.waits)
        if (other.firstAsleep.valid() && call < other.firstAsleep)
            ++other.older;
    book.waits.insert(book.waits.begin() + static_cast<std::ptrdiff_t>(place), wait);
}

void asleep(LockBookkeeping& book, EventIndex call, EventIndex at)
{
    const std::size_t place = placeOf(book.waits, call);
    if (!isAt(book, place, call) || book.waits[place].firstAsleep.valid())
        return;
    OpenWait& wait = book.waits[place];
    wait.firstAsleep = at;
    wait.older = static_cast<std::uint32_t>(placeOf(book.waits, at) - 1);
    wait.grantsBefore = book.grants;
}

void granted(LockBookkeeping& book, EventIndex call, Statistics& statistics)
{
    const std::size_t place = placeOf(book.waits, call);
    if (!isAt(book, place, call))
        return;
    note(book, place, statistics);
    book.waits.erase(book.waits.begin() + static_cast<std::ptrdiff_t>(place));
    ++book.grants;
    if (place > 0)
        note(book, 0, statistics); // the oldest wait is counted while it lasts
}

void failed(LockBookkeeping& book, EventIndex call, Statistics& statistics)
{
    const std::size_t place = placeOf(book.waits, call);
    if (!isAt(book, place, call))
        return;
    note(book, place, statistics);
    book.waits.erase(book.waits.begin() + static_cast<std::ptrdiff_t>(place));
    for (OpenWait& other : book.waits)
        if (other.firstAsleep.valid() && call < other.firstAsleep)
            ++other.olderFailed;
}

} // namespace lockscope::replay::overtaking
