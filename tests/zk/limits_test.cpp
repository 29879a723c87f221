// What the machine allows and what an address looks like: said before anything is started. What a hub keeps.
#include "core/zk/hub.h"

#include <gmock/gmock.h>

#include <malloc.h>
#include <sys/resource.h>

namespace lockscope::zk {
namespace {

using ::testing::HasSubstr;

// Gives the process a limit of open files for the length of a test.
class FileLimit
{
public:
    explicit FileLimit(rlim_t soft)
    {
        getrlimit(RLIMIT_NOFILE, &m_before);
        rlimit limited = m_before;
        limited.rlim_cur = soft;
        setrlimit(RLIMIT_NOFILE, &limited);
    }
    ~FileLimit() { setrlimit(RLIMIT_NOFILE, &m_before); }
    rlim_t hard() const { return m_before.rlim_max; }

private:
    rlimit m_before{};
};

TEST(SessionCapacity, RaisesTheSoftLimitToTheHardOne)
{
    const FileLimit limit(256);
    sessionCapacity();
    rlimit now{};
    getrlimit(RLIMIT_NOFILE, &now);
    EXPECT_EQ(now.rlim_cur, limit.hard());
}

std::size_t bytesInUse()
{
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

TEST(HubTimers, CancelledOnesDoNotPileUpUntilTheyWouldBeDue)
{
    using namespace std::chrono_literals;
    boost::asio::io_context io(1);
    const std::unique_ptr<Hub> hub = Hub::create(io).value();
    hub->after(30min, [] {}); // due before them
    const std::size_t before = bytesInUse();
    for (int i = 0; i < 200'000; ++i)
        hub->cancel(hub->after(1h, [] {}));
    EXPECT_LT(bytesInUse(), before + (1U << 20));
}

TEST(HubTimers, TheOthersFireWhenManyWereCancelled)
{
    using namespace std::chrono_literals;
    boost::asio::io_context io(1);
    const std::unique_ptr<Hub> hub = Hub::create(io).value();
    std::vector<int> fired;
    for (int i = 0; i < 5'000; ++i) {
        if (i % 1'000 == 0)
            hub->after(1ms + std::chrono::microseconds(i), [&fired, i] { fired.push_back(i); });
        hub->cancel(hub->after(1h, [] {}));
    }
    const auto deadline = MonotonicClock::now() + 10s;
    while (fired.size() < 5 && MonotonicClock::now() < deadline)
        io.run_one_for(20ms);
    EXPECT_EQ(fired, (std::vector<int>{0, 1'000, 2'000, 3'000, 4'000}));
}

TEST(ResolveHosts, KeepsNumbersAndTheirPorts)
{
    EXPECT_EQ(resolveHosts("127.0.0.1:2181").value(), "127.0.0.1:2181");
    EXPECT_EQ(resolveHosts("127.0.0.1:2181,127.0.0.2:2182").value(), "127.0.0.1:2181,127.0.0.2:2182");
    EXPECT_EQ(resolveHosts("[::1]:2181").value(), "[::1]:2181");
}

TEST(ResolveHosts, KeepsTheChroot)
{
    EXPECT_EQ(resolveHosts("127.0.0.1:2181,[::1]:2182/app/one").value(), "127.0.0.1:2181,[::1]:2182/app/one");
    EXPECT_EQ(resolveHosts("127.0.0.1:2181/").value(), "127.0.0.1:2181");
    for (const char* wrong : {"127.0.0.1:2181/app/", "127.0.0.1:2181//app", "127.0.0.1:2181/app/../x"}) {
        ASSERT_FALSE(resolveHosts(wrong)) << wrong;
        EXPECT_EQ(resolveHosts(wrong).error().code, ErrorCode::badUsage);
    }
}

TEST(ResolveHosts, NamesThePartThatIsNoAddress)
{
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"127.0.0.1", "\"127.0.0.1\""},
        {"127.0.0.1:2181,nonsense", "\"nonsense\""},
        {"127.0.0.1:0", "\"127.0.0.1:0\""},
        {"127.0.0.1:65536", "\"127.0.0.1:65536\""},
        {"127.0.0.1:port", "\"127.0.0.1:port\""},
        {":2181", "\":2181\""},
        {"127.0.0.1:2181,,127.0.0.1:2182", "\"\""},
        {"[::1]", "\"[::1]\""},
    };
    for (const auto& [hosts, part] : wrong) {
        const Result<std::string> resolved = resolveHosts(hosts);
        ASSERT_FALSE(resolved) << hosts;
        EXPECT_EQ(resolved.error().code, ErrorCode::badUsage) << hosts;
        EXPECT_THAT(resolved.error().message.english(), HasSubstr(part));
        EXPECT_THAT(resolved.error().hint.english(), HasSubstr("HOST:PORT"));
    }
}

TEST(ResolveHosts, SaysThatNoAddressWasGiven)
{
    ASSERT_FALSE(resolveHosts(""));
    EXPECT_EQ(resolveHosts("").error().message.english(), "No address of a ZooKeeper was given.");
}

TEST(SessionCapacity, SaysBothNumbersAndWhatToDoWhenItIsTooMany)
{
    rlimit now{};
    getrlimit(RLIMIT_NOFILE, &now);
    if (sessionCapacity() == SIZE_MAX) {
        EXPECT_TRUE(checkSessionCapacity(SIZE_MAX));
        return;
    }
    const std::size_t tooMany = sessionCapacity() + 1;
    const Result<void> checked = checkSessionCapacity(tooMany);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code, ErrorCode::limitExceeded);
    EXPECT_THAT(checked.error().message.english(),
                HasSubstr(std::to_string(now.rlim_cur + 1) + " open files"));
    EXPECT_THAT(checked.error().message.english(), HasSubstr("only " + std::to_string(now.rlim_cur)));
    EXPECT_THAT(checked.error().hint.english(), HasSubstr("ulimit"));
}

} // namespace
} // namespace lockscope::zk
