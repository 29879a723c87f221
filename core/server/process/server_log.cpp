#include "core/server/process/server_log.h"

#include <algorithm>
#include <fstream>
#include <vector>

namespace lockscope::server {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kRestartMark = "---- started again ----\n";

std::string readEnd(const fs::path& log)
{
    std::ifstream file(log, std::ios::binary | std::ios::ate);
    if (!file)
        return {};
    constexpr std::streamoff most = 65536;
    const std::streamoff size = file.tellg();
    const auto wanted = std::min(size, most);
    file.seekg(size - wanted);
    std::string text(static_cast<std::size_t>(wanted), '\0');
    file.read(text.data(), wanted);
    text.resize(static_cast<std::size_t>(file.gcount()));
    std::erase_if(text,
                  [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t'; });
    return text;
}

std::string textSinceRestart(const fs::path& log)
{
    const auto text = readEnd(log);
    const auto at = text.rfind(kRestartMark);
    return at == std::string::npos ? text : text.substr(at + kRestartMark.size());
}

std::string lastLines(std::string_view text, std::size_t count, bool withTraces)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (!line.empty() && (withTraces || line.front() != '\t'))
            lines.push_back(line);
    }
    std::string joined;
    for (auto i = lines.size() - std::min(count, lines.size()); i < lines.size(); ++i)
        joined.append(joined.empty() ? "" : "\n").append(lines[i]);
    return joined;
}

} // namespace

std::string logTail(const fs::path& log)
{
    constexpr std::size_t lines = 40;
    return lastLines(readEnd(log), lines, true);
}

Message lastLogErrors(const fs::path& log)
{
    constexpr std::size_t lines = 3;
    const auto complaints = lastLines(textSinceRestart(log), lines, false);
    return complaints.empty() ? Message() : message("The end of its log:%1", "\n" + complaints);
}

bool logContains(const fs::path& log, std::string_view text)
{
    return textSinceRestart(log).find(text) != std::string::npos;
}

void markRestartInLog(const fs::path& log)
{
    std::error_code ignored;
    if (fs::exists(log, ignored))
        std::ofstream(log, std::ios::app | std::ios::binary) << kRestartMark;
}

} // namespace lockscope::server
