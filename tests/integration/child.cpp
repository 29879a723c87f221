#include "tests/integration/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

extern char** environ;

namespace lockscope::test {

namespace fs = std::filesystem;

namespace {

std::string contentOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// State and parent from /proc/PID/stat; the name in brackets may hold anything, so read behind the last one.
std::pair<char, int> stateAndParent(int pid)
{
    const std::string stat = contentOf("/proc/" + std::to_string(pid) + "/stat");
    const std::size_t bracket = stat.rfind(')');
    char state = 'X';
    int parent = 0;
    if (bracket != std::string::npos)
        std::istringstream(stat.substr(bracket + 1)) >> state >> parent;
    return {state, parent};
}

} // namespace

Child::Child(const std::string& program, const std::vector<std::string>& arguments)
{
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, (m_folder / "out").c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&files, 2, (m_folder / "err").c_str(), O_WRONLY | O_CREAT, 0600);
    if (posix_spawn(&m_pid, program.c_str(), &files, nullptr, argv.data(), environ) != 0)
        m_pid = -1;
    posix_spawn_file_actions_destroy(&files);
}

Child::~Child()
{
    if (m_pid > 0 && !m_ended) {
        ::kill(m_pid, SIGKILL);
        waitpid(m_pid, nullptr, 0);
    }
}

void Child::signal(int number) const { ::kill(m_pid, number); }

int Child::wait(Duration limit)
{
    if (m_pid <= 0)
        return -1;
    if (!m_ended)
        m_ended = eventually([&] { return waitpid(m_pid, &m_status, WNOHANG) == m_pid; }, limit);
    if (!m_ended)
        return -1;
    return WIFSIGNALED(m_status) ? 128 + WTERMSIG(m_status) : WEXITSTATUS(m_status);
}

std::string Child::output() const { return contentOf(m_folder / "out"); }
std::string Child::errors() const { return contentOf(m_folder / "err"); }

bool isProcessAlive(int pid)
{
    const char state = stateAndParent(pid).first;
    return state != 'X' && state != 'Z';
}

std::vector<int> descendants(int pid)
{
    std::multimap<int, int> children;
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
        const std::string name = entry.path().filename();
        if (name.find_first_not_of("0123456789") != std::string::npos)
            continue;
        const int child = std::stoi(name);
        children.emplace(stateAndParent(child).second, child);
    }
    std::vector<int> found{pid};
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto [begin, end] = children.equal_range(found[i]);
        for (auto each = begin; each != end; ++each)
            found.push_back(each->second);
    }
    found.erase(found.begin());
    return found;
}

bool eventually(const std::function<bool()>& predicate, Duration limit)
{
    const auto deadline = MonotonicClock::now() + limit;
    while (!predicate()) {
        if (MonotonicClock::now() > deadline)
            return false;
        ::poll(nullptr, 0, 5); // let the others run
    }
    return true;
}

} // namespace lockscope::test
