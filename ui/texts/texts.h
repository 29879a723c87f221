// The one context of the translations of this folder. Classes of the folder declare the same.
#pragma once

#include <QCoreApplication>

#include <algorithm>
#include <cstddef>

namespace lockscope::ui {

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(Texts)
};

// The text of an enumerator: `texts` has one for each, in the order of the enum, marked with
// QT_TRANSLATE_NOOP("Texts", ...).
template <auto kLast, std::size_t N>
QString enumText(const char* const (&texts)[N], decltype(kLast) value)
{
    static_assert(N == static_cast<std::size_t>(kLast) + 1);
    return Texts::tr(texts[std::min(static_cast<std::size_t>(value), N - 1)]);
}

} // namespace lockscope::ui
