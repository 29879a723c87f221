// Clients with a multi-lock each, over mutexes in folders of one path or over fakes. Test thread only.
#pragma once

#include "core/lock/multi_lock.h"
#include "tests/lock/any_lock_test.h"
#include "tests/lock/fake_lock.h"

namespace lockscope::tests {

class MultiLock : public AnyLockTest
{
protected:
    void TearDown() override
    {
        multis.clear();
        AnyLockTest::TearDown();
    }
    // One client's lock over mutexes in these folders of path(), in the order given.
    lock::MultiLock& add(HubSessionPtr session, const std::vector<std::string>& names)
    {
        std::vector<std::shared_ptr<lock::Lock>> parts;
        for (const std::string& name : names)
            parts.push_back(mutexIn(session, name));
        multis.push_back(std::make_unique<lock::MultiLock>(std::move(parts)));
        return *multis.back();
    }
    lock::MultiLock& add(const std::vector<std::string>& names = {"a", "b", "c"})
    {
        return add(world->connect(), names);
    }
    std::shared_ptr<lock::Mutex> mutexIn(HubSessionPtr session, const std::string& name)
    {
        lock::MutexOptions own = options;
        own.path = path() + "/" + name;
        return std::make_shared<lock::Mutex>(std::move(session), own);
    }
    // One over three fakes.
    lock::MultiLock& addFake()
    {
        std::vector<std::shared_ptr<lock::Lock>> parts;
        for (const char* name : {"/a", "/b", "/c"}) {
            fakes.push_back(std::make_shared<FakeLock>(world->hub(), name));
            parts.push_back(fakes.back());
        }
        multis.push_back(std::make_unique<lock::MultiLock>(std::move(parts)));
        return *multis.back();
    }
    std::vector<std::string> in(const std::string& name) { return world->children(path() + "/" + name); }
    bool waitFor(const std::string& name, std::size_t count)
    {
        return world->waitForChildren(path() + "/" + name, count);
    }

    std::vector<std::shared_ptr<FakeLock>> fakes;
    std::vector<std::unique_ptr<lock::MultiLock>> multis;
};

} // namespace lockscope::tests
