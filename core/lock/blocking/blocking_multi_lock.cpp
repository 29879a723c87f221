#include "core/lock/blocking/blocking_multi_lock.h"

#include "core/lock/multi_lock.h"
#include "core/lock/mutex.h"

namespace lockscope::lock {

namespace {

std::vector<LockOptions> optionsAt(const std::vector<std::string>& paths)
{
    std::vector<LockOptions> options;
    for (const std::string& path : paths)
        options.push_back(LockOptions::at(path));
    return options;
}

// The options of the multi-lock itself: its path for messages, and its onError for the parts.
LockOptions wholeOf(const std::vector<LockOptions>& parts)
{
    if (parts.empty())
        throw LockError(Error{ErrorCode::badUsage, message("A multi-lock has no path."),
                              message("Give it one or more paths.")});
    LockOptions whole;
    for (const LockOptions& part : parts)
        whole.path += (whole.path.empty() ? "" : " + ") + part.path;
    return whole;
}

ThreadLock::RecipeFactory makerOf(std::vector<LockOptions> parts)
{
    return [parts = std::move(parts)](const zk::SessionPtr& session, const LockOptions& whole) {
        std::vector<std::shared_ptr<Lock>> mutexes;
        for (LockOptions part : parts) {
            if (!part.onError)
                part.onError = whole.onError;
            mutexes.push_back(std::make_shared<Mutex>(session, std::move(part)));
        }
        return ThreadLock::Recipe{std::make_shared<MultiLock>(std::move(mutexes)), nullptr};
    };
}

} // namespace

BlockingMultiLock::BlockingMultiLock(const Client& client, const std::vector<std::string>& paths)
    : BlockingMultiLock(client, optionsAt(paths))
{}

BlockingMultiLock::BlockingMultiLock(const Client& client, std::initializer_list<std::string_view> paths)
    : BlockingMultiLock(client, std::vector<std::string>(paths.begin(), paths.end()))
{}

BlockingMultiLock::BlockingMultiLock(const Client& client, std::vector<LockOptions> parts)
    : BlockingLock(client, wholeOf(parts), makerOf(parts))
{}

} // namespace lockscope::lock
