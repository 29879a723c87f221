// Who holds and who waits behind whom among the nodes of a lock. Pure; any thread.
#pragma once

#include "core/queue/exclusion.h"
#include "core/queue/scheme.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace lockscope::queue {

// Goes through a lock's nodes in queue order, from the front, and says of each where it stands.
// - A node waits if one ahead of it, which its library counts, excludes it (exclusion.h).
// - Families that do not count each other's names do not wait for each other: Curator's and kazoo's, for
// example.
class Standing
{
public:
    static constexpr std::size_t kNobody = ~std::size_t{0};
    struct Place
    {
        bool holds = false, waits = false;
        std::size_t behind = kNobody; // the index of the node that it waits for, as its library chooses it
    };

    // `oneQueue`: all families count each other's names.
    constexpr explicit Standing(bool oneQueue = false)
        : m_oneQueue(oneQueue)
    {}

    // `index`: of the node, from 0 in queue order. `foreignAhead`: a name of no lock sorts before it, which
    // only libraries that count every child wait for.
    constexpr Place next(Library library, Role role, std::size_t index, bool foreignAhead = false)
    {
        const Place place = at(library, role, foreignAhead);
        add(library, role, index);
        return place;
    }
    // Its two halves: where a node stands behind those that were added.
    constexpr Place at(Library library, Role role, bool foreignAhead = false) const
    {
        Place place;
        if (!isContender(role))
            return place;
        const Ahead& ahead = m_ahead[placeOf(familyOf(library, role))];
        const bool reads = role == Role::reader;
        const bool waitsForShared =
            waitsFor(reads ? Side::shared : Side::exclusive, [] { return Side::shared; });
        const std::size_t nearest = waitsForShared ? ahead.last : ahead.lastWriter;
        place.behind = reads && watchesFirstWriter(library) ? ahead.firstWriter : nearest;
        place.waits = nearest != kNobody || (foreignAhead && countsEveryChild(library));
        place.holds = !place.waits;
        return place;
    }
    constexpr void add(Library library, Role role, std::size_t index)
    {
        if (!isContender(role))
            return;
        Ahead& ahead = m_ahead[placeOf(familyOf(library, role))];
        ahead.last = index;
        if (role == Role::reader)
            return;
        ahead.lastWriter = index;
        ahead.firstWriter = ahead.firstWriter == kNobody ? index : ahead.firstWriter;
    }

    // True if every later node of this family waits.
    constexpr bool isClosed(Family family) const { return m_ahead[placeOf(family)].lastWriter != kNobody; }

private:
    struct Ahead
    {
        std::size_t last = kNobody, firstWriter = kNobody, lastWriter = kNobody;
    };
    constexpr std::size_t placeOf(Family family) const { return m_oneQueue ? 0 : std::size_t{family}; }

    std::array<Ahead, kFamilies> m_ahead{};
    bool m_oneQueue;
};

} // namespace lockscope::queue
