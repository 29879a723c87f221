// A move-only std::function, for handlers that own move-only objects. Small handlers are stored inside,
// others in recycled memory. Call it at most as often as the handler allows. Not thread safe.
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
    static constexpr std::size_t kInlineSize = 4 * sizeof(void*); // two shared pointers

    UniqueFunction() = default;
    UniqueFunction(std::nullptr_t) {}

    template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, UniqueFunction> &&
             std::is_invocable_r_v<R, std::remove_cvref_t<F>&, Args...>) UniqueFunction(F&& f)
    {
        using Callable = std::remove_cvref_t<F>;
        if constexpr (fitsInline<Callable>())
            ::new (static_cast<void*>(m_storage)) Callable(std::forward<F>(f));
        else
            ::new (static_cast<void*>(m_storage)) Callable*(make<Callable>(std::forward<F>(f)));
        m_ops = &opsOf<Callable>;
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

    R operator()(Args... args) { return m_ops->call(m_storage, std::forward<Args>(args)...); }
    explicit operator bool() const { return m_ops != nullptr; }

private:
    struct Ops
    {
        R (*call)(void* storage, Args&&... args);
        void (*move)(void* from, void* to); // null: a pointer is copied
        void (*destroy)(void* storage);     // null: nothing to do
    };

    template <class F>
    static constexpr bool fitsInline()
    {
        return sizeof(F) <= kInlineSize && alignof(F) <= alignof(void*) &&
               std::is_nothrow_move_constructible_v<F>;
    }
    template <class F, class G>
    static F* make(G&& g)
    {
        static_assert(alignof(F) <= alignof(std::max_align_t));
        void* piece = allocateRecycled(sizeof(F));
        try {
            return ::new (piece) F(std::forward<G>(g));
        } catch (...) {
            deallocateRecycled(piece, sizeof(F));
            throw;
        }
    }
    template <class F>
    static F& at(void* storage)
    {
        if constexpr (fitsInline<F>())
            return *std::launder(static_cast<F*>(storage));
        else
            return **std::launder(static_cast<F**>(storage));
    }
    template <class F>
    static R call(void* storage, Args&&... args)
    {
        if constexpr (std::is_void_v<R>)
            at<F>(storage)(std::forward<Args>(args)...);
        else
            return at<F>(storage)(std::forward<Args>(args)...);
    }
    template <class F>
    static void move(void* from, void* to)
    {
        ::new (to) F(std::move(at<F>(from)));
        at<F>(from).~F();
    }
    template <class F>
    static void destroy(void* storage)
    {
        F& callable = at<F>(storage);
        callable.~F();
        if constexpr (!fitsInline<F>())
            deallocateRecycled(&callable, sizeof(F));
    }
    template <class F>
    static constexpr Ops makeOps()
    {
        Ops ops{&call<F>, nullptr, nullptr};
        if constexpr (fitsInline<F>())
            ops.move = &move<F>;
        if constexpr (!fitsInline<F>() || !std::is_trivially_destructible_v<F>)
            ops.destroy = &destroy<F>;
        return ops;
    }
    template <class F>
    static constexpr Ops opsOf = makeOps<F>();

    void takeFrom(UniqueFunction& other) noexcept
    {
        m_ops = std::exchange(other.m_ops, nullptr);
        if (!m_ops)
            return;
        if (m_ops->move)
            m_ops->move(other.m_storage, m_storage);
        else
            __builtin_memcpy(m_storage, other.m_storage, sizeof(void*));
    }
    void clear() noexcept
    {
        const Ops* ops = std::exchange(m_ops, nullptr);
        if (ops && ops->destroy)
            ops->destroy(m_storage);
    }

    const Ops* m_ops = nullptr;
    alignas(void*) std::byte m_storage[kInlineSize];
};

} // namespace lockscope
