// What the tests of reading trace files share: bytes go in, a trace or the sentence of an error comes out.
#pragma once

#include "tests/trace/trace_samples.h"

#include <algorithm>

namespace lockscope::trace {

class TraceReader : public ::testing::Test
{
protected:
    Result<LoadedTrace> load(std::string_view bytes)
    {
        writeFile(file(), bytes);
        return loadTrace(file());
    }
    // The error of a trace whose second line this is, without the file's name.
    std::string errorOf(std::string_view line)
    {
        return errorOfFile(std::string(kHeaderLine) + std::string(line) + "\n");
    }
    std::string errorOfFile(std::string_view bytes)
    {
        const Result<LoadedTrace> loaded = load(bytes);
        if (loaded)
            return "(opened)";
        EXPECT_EQ(loaded.error().code, ErrorCode::badInput);
        std::string message = loaded.error().message.english();
        const std::string name = file().string();
        EXPECT_TRUE(message.starts_with(name)) << message;
        return message.substr(std::min(name.size(), message.size()));
    }
    std::filesystem::path file() const { return m_folder / "run.jsonl"; }

    Folder m_folder;
};

inline constexpr std::string_view kEvent =
    R"({"t":5,"e":"request","client":0,"lock":0,"op":"create","node":"a"})";

} // namespace lockscope::trace
