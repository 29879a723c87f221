#include "app/lockscope_run/text_output.h"

#include "core/base/output_file.h"

namespace lockscope::app {

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

} // namespace lockscope::app
