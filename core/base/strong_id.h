// Ids that cannot be mixed up: a client is not a lock and a zxid is not a session.
// Plain values, any thread.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

namespace lockscope::base {

template <class Tag, class T>
struct StrongId
{
    using Value = T;
    // No id. For signed types the least value, so that an unset zxid is older than every real zxid and no
    // fence accepts it; for unsigned types, which count from 0, the greatest value.
    static constexpr T kNone =
        std::is_signed_v<T> ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
    T value = kNone;

    static constexpr StrongId none() { return StrongId{kNone}; }
    constexpr bool valid() const { return value != kNone; }
    constexpr auto operator<=>(const StrongId&) const = default;
};

} // namespace lockscope::base

template <class Tag, class T>
struct std::hash<lockscope::base::StrongId<Tag, T>>
{
    std::size_t operator()(lockscope::base::StrongId<Tag, T> id) const noexcept
    {
        return std::hash<T>{}(id.value);
    }
};
