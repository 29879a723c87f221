#include "core/server/process/supervisor_protocol.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

namespace lockscope::server {

namespace {

constexpr std::size_t kLongestLine = 8192; // a path and a word

// Consumes a number at the start of the text, with the blank after it.
template <class Number>
std::optional<Number> takeNumber(std::string_view& text)
{
    Number number{};
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc() || number <= 0 || (end != text.data() + text.size() && *end != ' '))
        return {};
    text.remove_prefix(std::min<std::size_t>(text.size(), static_cast<std::size_t>(end - text.data()) + 1));
    return number;
}

bool cutPrefix(std::string_view& text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

// Foreign text, capped and without control characters, for a message.
std::string shown(std::string_view text)
{
    constexpr std::size_t kMaxLength = 300;
    std::string plain(text.substr(0, kMaxLength));
    const auto isControl = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
    std::replace_if(plain.begin(), plain.end(), isControl, '?');
    return plain;
}

Error protocolError(std::string_view answer)
{
    return {
        ErrorCode::noServer,
        message("The supervisor process of the private ZooKeeper sent an unknown reply: %1.", shown(answer)),
        {}};
}

Error doesNotRun() { return {ErrorCode::noServer, message("The private ZooKeeper does not run."), {}}; }

} // namespace

Error supervisorIsGone()
{
    return {ErrorCode::noServer, message("The supervisor process of the private ZooKeeper has ended."), {}};
}

Error supervisorDoesNotAnswer()
{
    return {
        ErrorCode::timedOut, message("The supervisor process of the private ZooKeeper does not answer."), {}};
}

Result<std::filesystem::path> privateDirectory(const std::string& line, const std::filesystem::path& baseDir)
{
    std::string_view name = line;
    if (!cutPrefix(name, "directory "))
        return Error{ErrorCode::ioFailed,
                     message("Cannot create a private directory in %1: %2.", baseDir.string(), shown(line)),
                     {}};
    const std::string_view directory = name;
    if (!cutPrefix(name, baseDir.string() + "/lockscope-" + std::to_string(::getuid()) + "-") ||
        name.empty() || !std::all_of(name.begin(), name.end(), [](char c) {
            return std::isalnum(static_cast<unsigned char>(c));
        }))
        return protocolError(line);
    return std::filesystem::path(directory);
}

std::string SupervisorProtocol::request(Word word, MonotonicTime deadline, Done done)
{
    static constexpr const char* names[] = {"start", "kill", "suspend", "resume"};
    m_requests.push_back({++m_lastNumber, word, deadline, std::move(done)});
    return std::to_string(m_lastNumber) + ' ' + names[static_cast<int>(word)] + '\n';
}

void SupervisorProtocol::append(std::string_view bytes)
{
    if (!m_loss)
        m_input += bytes;
}

bool SupervisorProtocol::isFull() const { return m_input.size() > kLongestLine; }

std::optional<std::string> SupervisorProtocol::takeLine()
{
    const auto end = m_input.find('\n');
    if (end == std::string::npos) {
        if (isFull())
            lose(protocolError(m_input));
        return {};
    }
    std::string line = m_input.substr(0, end);
    m_input.erase(0, end + 1);
    return line;
}

void SupervisorProtocol::handleLines()
{
    while (const std::optional<std::string> line = takeLine())
        handle(*line);
}

bool SupervisorProtocol::takeState(std::string_view line)
{
    std::string_view text = line;
    const bool ended = cutPrefix(text, "ended ");
    const bool stopped = cutPrefix(text, "stopped ");
    if (!ended && !stopped && !cutPrefix(text, "running "))
        return false;
    const auto child = takeNumber<pid_t>(text);
    if (!child || !text.empty()) {
        lose(protocolError(line));
    } else if (!ended) {
        m_child = child;
        m_stopped = stopped;
    } else if (m_child == child) {
        m_child.reset();
    }
    return true;
}

void SupervisorProtocol::handle(const std::string& line)
{
    if (takeState(line))
        return;
    std::string_view text = line;
    const auto number = takeNumber<std::uint64_t>(text);
    if (!number || m_requests.empty() || m_requests.front().number != *number)
        return lose(protocolError(line));
    Request answered = std::move(m_requests.front());
    m_requests.pop_front();
    if (!answered.done)
        return;
    if (text == "done")
        answered.done({});
    else if (answered.word == Word::start)
        answered.done(Error{ErrorCode::noServer, message("Java could not be started: %1.", shown(text)), {}});
    else
        answered.done(doesNotRun());
}

void SupervisorProtocol::lose(Error why)
{
    if (m_loss)
        return;
    m_loss = std::move(why);
    m_input.clear();
    m_child.reset();
}

// A `done` may append requests.
void SupervisorProtocol::expire(MonotonicTime now)
{
    for (std::size_t i = 0; i < m_requests.size(); ++i) {
        if (!m_requests[i].done || (!m_loss && m_requests[i].deadline > now))
            continue;
        Done done = std::exchange(m_requests[i].done, {});
        done(m_loss ? *m_loss : supervisorDoesNotAnswer());
    }
    if (m_loss)
        m_requests.clear();
}

std::optional<MonotonicTime> SupervisorProtocol::nextDeadline() const
{
    const auto waiting = std::find_if(m_requests.begin(), m_requests.end(),
                                      [](const Request& request) { return bool(request.done); });
    return waiting == m_requests.end() ? std::nullopt : std::optional(waiting->deadline);
}

} // namespace lockscope::server
