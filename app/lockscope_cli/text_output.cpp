#include "app/lockscope_cli/text_output.h"

#include "app/options/program.h"
#include "core/base/exit_code.h"
#include "core/base/output_file.h"

namespace lockscope::app {

namespace {

constexpr std::string_view kReport = "The report cannot be written to";

} // namespace

int fail(const Error& error) { return failAs("lockscope-cli", error); }

Result<void> writeText(std::string_view what, const std::string& path, std::string_view text)
{
    OutputFile file;
    std::error_code error = file.open(path, {.waitForReader = true});
    if (!error)
        error = file.write(text);
    if (!error)
        error = file.commit();
    if (error)
        return outputError(what, path, error);
    return {};
}

Result<void> checkReport(const std::string& file)
{
    const std::error_code error = file.empty() ? std::error_code() : checkOutput(file);
    return error ? Result<void>(reportError(file, error)) : Result<void>();
}

Result<void> writeReport(const std::string& file, std::string_view text)
{
    return file.empty() ? Result<void>() : writeText(kReport, file, text);
}

Error reportError(const std::string& file, std::error_code error)
{
    return outputError(kReport, file, error);
}

} // namespace lockscope::app
