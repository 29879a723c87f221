// A program started by a test, with its output read to the end. POSIX; ends only what it started.
#pragma once

#include "core/base/time.h"
#include "tests/support/temp_folder.h"

#include <functional>
#include <string>
#include <vector>

namespace lockscope::test {

class Child
{
public:
    // Arguments without the program's name; standard input is empty, both outputs go to files of our own.
    Child(const std::string& program, const std::vector<std::string>& arguments);
    ~Child(); // kills it when it still runs
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    int pid() const { return m_pid; }
    void signal(int number) const;
    // The exit code, or 128 + the signal; -1 when it did not end within the limit.
    int wait(Duration limit = std::chrono::seconds(120));
    std::string output() const; // standard output so far
    std::string errors() const; // standard error so far

private:
    tests::TempFolder m_folder;
    int m_pid = -1;
    int m_status = 0;
    bool m_ended = false;
};

// Processes whose parent is `pid`, their children too.
std::vector<int> descendants(int pid);
bool isProcessAlive(int pid);
// Calls `predicate` until it holds; false when it does not within the limit. An election of ZooKeeper alone
// can take a minute: that is how long a server waits at most before it tells its vote again.
bool eventually(const std::function<bool()>& predicate, Duration limit = std::chrono::minutes(3));

} // namespace lockscope::test
