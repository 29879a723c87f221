// A move-only std::function: holds handlers that own what they answer to. Small ones are kept inside, others
// in recycled memory. Call it at most as often as the handler allows. Not thread safe.
#pragma once

#include "core/base/recycled.h"

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace lockscope {

template <class Signature>
class UniqueFunction;

template <class R, class... Args>
class UniqueFunction<R(Args...)>
{
public:
    static constexpr std::size_t kInside = 4 * sizeof(void*); // two shared pointers

    UniqueFunction() = default;
    UniqueFunction(std::nullptr_t) {}

    template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, UniqueFunction> &&
             std::is_invocable_r_v<R, std::remove_cvref_t<F>&, Args...>) UniqueFunction(F&& f)
    {
        using Callable = std::remove_cvref_t<F>;
        if constexpr (fitsInside<Callable>())
            ::new (static_cast<void*>(m_place)) Callable(std::forward<F>(f));
        else
            ::new (static_cast<void*>(m_place)) Callable*(make<Callable>(std::forward<F>(f)));
        m_deeds = &deedsOf<Callable>;
    }
    UniqueFunction(UniqueFunction&& other) noexcept { takeFrom(other); }
    UniqueFunction& operator=(UniqueFunction&& other) noexcept
    {
        if (this != &other) {
            clear();
            takeFrom(other);
        }
        return *this;
    }
    UniqueFunction& operator=(std::nullptr_t) noexcept
    {
        clear();
        return *this;
    }
    ~UniqueFunction() { clear(); }

    R operator()(Args... args) { return m_deeds->call(m_place, std::forward<Args>(args)...); }
    explicit operator bool() const { return m_deeds != nullptr; }

private:
    struct Deeds
    {
        R (*call)(void* place, Args&&... args);
        void (*move)(void* from, void* to); // null: a pointer is copied
        void (*destroy)(void* place);       // null: nothing to do
    };

    template <class F>
    static constexpr bool fitsInside()
    {
        return sizeof(F) <= kInside && alignof(F) <= alignof(void*) &&
               std::is_nothrow_move_constructible_v<F>;
    }
    template <class F, class G>
    static F* make(G&& g)
    {
        static_assert(alignof(F) <= alignof(std::max_align_t));
        void* piece = takeRecycled(sizeof(F));
        try {
            return ::new (piece) F(std::forward<G>(g));
        } catch (...) {
            giveRecycled(piece, sizeof(F));
            throw;
        }
    }
    template <class F>
    static F& at(void* place)
    {
        if constexpr (fitsInside<F>())
            return *std::launder(static_cast<F*>(place));
        else
            return **std::launder(static_cast<F**>(place));
    }
    template <class F>
    static R call(void* place, Args&&... args)
    {
        if constexpr (std::is_void_v<R>)
            at<F>(place)(std::forward<Args>(args)...);
        else
            return at<F>(place)(std::forward<Args>(args)...);
    }
    template <class F>
    static void move(void* from, void* to)
    {
        ::new (to) F(std::move(at<F>(from)));
        at<F>(from).~F();
    }
    template <class F>
    static void destroy(void* place)
    {
        F& callable = at<F>(place);
        callable.~F();
        if constexpr (!fitsInside<F>())
            giveRecycled(&callable, sizeof(F));
    }
    template <class F>
    static constexpr Deeds deedsFor()
    {
        Deeds deeds{&call<F>, nullptr, nullptr};
        if constexpr (fitsInside<F>())
            deeds.move = &move<F>;
        if constexpr (!fitsInside<F>() || !std::is_trivially_destructible_v<F>)
            deeds.destroy = &destroy<F>;
        return deeds;
    }
    template <class F>
    static constexpr Deeds deedsOf = deedsFor<F>();

    void takeFrom(UniqueFunction& other) noexcept
    {
        m_deeds = std::exchange(other.m_deeds, nullptr);
        if (!m_deeds)
            return;
        if (m_deeds->move)
            m_deeds->move(other.m_place, m_place);
        else
            __builtin_memcpy(m_place, other.m_place, sizeof(void*));
    }
    void clear() noexcept
    {
        const Deeds* deeds = std::exchange(m_deeds, nullptr);
        if (deeds && deeds->destroy)
            deeds->destroy(m_place);
    }

    const Deeds* m_deeds = nullptr;
    alignas(void*) std::byte m_place[kInside];
};

} // namespace lockscope
