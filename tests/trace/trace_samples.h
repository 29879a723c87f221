// What the tests of trace files share: a file of one's own, events of every kind, and how to compare them.
#pragma once

#include "core/trace/event_fields.h"
#include "core/trace/store.h"
#include "core/trace/trace_file.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace lockscope::trace {

using Folder = tests::TempFolder;

inline void writeFile(const std::filesystem::path& path, std::string_view bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string readFile(const std::filesystem::path& path)
{
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    return bytes.str();
}

constexpr std::string_view kHeaderLine =
    R"({"schema":"lockscope-trace","version":1,"scenario":"s","title":"t","seed":1,)"
    R"("time_zero":{"wall_ns":1,"monotonic_ns":2},"scenario_toml":""})"
    "\n";

// An event of the variant's n-th kind in which every field has a value that is not its default.
inline Payload filledPayload(std::size_t kind, unsigned salt, Text text)
{
    const auto all = []<std::size_t... I>(std::index_sequence<I...>)
    {
        return std::array<Payload, sizeof...(I)>{Payload(std::in_place_index<I>)...};
    }
    (std::make_index_sequence<std::variant_size_v<Payload>>{});
    Payload what = all.at(kind);
    std::visit(
        [&](auto& event) {
            visitFields(event, [&]<class F>(std::string_view, F& field) {
                ++salt;
                if constexpr (std::is_same_v<F, Text>)
                    field = text;
                else if constexpr (std::is_same_v<F, MessageView>)
                    field = MessageView(text);
                else if constexpr (std::is_same_v<F, bool>)
                    field = true;
                else if constexpr (std::is_same_v<F, Duration>)
                    field = Duration(1'000'000 + salt);
                else if constexpr (std::is_same_v<F, SessionId>)
                    field = SessionId{1}; // the first session of a file, as it is written
                else if constexpr (std::is_enum_v<F>)
                    field = static_cast<F>(1 + salt % (enumNames(F{}).size() - 1));
                else if constexpr (std::is_integral_v<F>)
                    field = static_cast<F>(7 + salt % 60'000);
                else
                    field.value = static_cast<typename F::Value>(11 + salt);
            });
        },
        what);
    return what;
}

// Two events say the same: compared field by field.
inline ::testing::AssertionResult sameEvent(const Event& a, const Event& b)
{
    if (a.at != b.at || a.cause != b.cause || a.client != b.client || a.lock != b.lock)
        return ::testing::AssertionFailure() << "time, cause, client or lock differ";
    if (a.what.index() != b.what.index())
        return ::testing::AssertionFailure()
               << "kinds differ: " << a.what.index() << " and " << b.what.index();
    return std::visit(
        [&]<class E>(const E& left) -> ::testing::AssertionResult {
            const E& right = std::get<E>(b.what);
            std::string different;
            // Both are walked the same way, so a field of the one is where the other has it.
            visitFields(left, [&]<class F>(std::string_view name, const F& field) {
                const auto offset =
                    reinterpret_cast<const char*>(&field) - reinterpret_cast<const char*>(&left);
                const F& other = *reinterpret_cast<const F*>(reinterpret_cast<const char*>(&right) + offset);
                if (!(field == other))
                    different += std::string(name) + " ";
            });
            if (different.empty())
                return ::testing::AssertionSuccess();
            return ::testing::AssertionFailure() << kindName<E> << ": " << different;
        },
        a.what);
}

} // namespace lockscope::trace
