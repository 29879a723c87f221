// Ids that cannot be mixed up: a client is not a lock and a zxid is not a session.
// Plain values, any thread.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>

namespace lockscope::base {

template <class Tag, class T>
struct StrongId
{
    using Value = T;
    T value = none().value;

    static constexpr StrongId none() { return StrongId{std::numeric_limits<T>::max()}; }
    constexpr bool valid() const { return value != std::numeric_limits<T>::max(); }
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
