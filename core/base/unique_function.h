// A move-only std::function: holds handlers that own what they answer to. Call it at most as often as the
// handler allows. Not thread safe.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace lockscope {

template <class Signature>
class UniqueFunction;

template <class R, class... Args>
class UniqueFunction<R(Args...)>
{
public:
    UniqueFunction() = default;
    UniqueFunction(std::nullptr_t) {}

    template <class F>
        requires(!std::is_same_v<std::remove_cvref_t<F>, UniqueFunction> &&
                 std::is_invocable_r_v<R, std::remove_cvref_t<F>&, Args...>)
    UniqueFunction(F&& f) : m_callable(std::make_unique<Holder<std::remove_cvref_t<F>>>(std::forward<F>(f)))
    {
    }

    R operator()(Args... args) { return m_callable->call(std::forward<Args>(args)...); }
    explicit operator bool() const { return m_callable != nullptr; }

private:
    struct Callable
    {
        virtual ~Callable() = default;
        virtual R call(Args... args) = 0;
    };
    template <class F>
    struct Holder final : Callable
    {
        template <class G>
        explicit Holder(G&& g) : f(std::forward<G>(g)) {}
        R call(Args... args) override { return f(std::forward<Args>(args)...); }
        F f;
    };
    std::unique_ptr<Callable> m_callable;
};

} // namespace lockscope
