#include "core/base/error.h"

#include "core/base/error_code.h"

#include <array>

namespace lockscope {

namespace {

struct CodeRow
{
    ErrorCode code;
    const char* text;
    std::errc condition;
};

constexpr auto kCodes = std::to_array<CodeRow>({
    {ErrorCode::badUsage, "used wrongly", std::errc::invalid_argument},
    {ErrorCode::badInput, "unexpected content", std::errc::state_not_recoverable},
    {ErrorCode::ioFailed, "reading or writing failed", std::errc::state_not_recoverable},
    {ErrorCode::noServer, "no ZooKeeper server answers", std::errc::not_connected},
    {ErrorCode::limitExceeded, "a limit is exceeded", std::errc::state_not_recoverable},
    {ErrorCode::connectionLost, "the connection is lost, the outcome unknown", std::errc::not_connected},
    {ErrorCode::sessionLost, "the session is lost", std::errc::not_connected},
    {ErrorCode::closed, "closed", std::errc::operation_canceled},
    {ErrorCode::noNode, "the node does not exist", std::errc::not_connected},
    {ErrorCode::nodeExists, "the node exists", std::errc::state_not_recoverable},
    {ErrorCode::noAuth, "not permitted", std::errc::permission_denied},
    {ErrorCode::timedOut, "not in time", std::errc::timed_out},
    {ErrorCode::cancelled, "canceled", std::errc::operation_canceled},
    {ErrorCode::notOwner, "not held by this owner", std::errc::state_not_recoverable},
    {ErrorCode::busy, "the caller would wait for itself", std::errc::resource_deadlock_would_occur},
    {ErrorCode::unsupported, "not supported", std::errc::state_not_recoverable},
    {ErrorCode::internal, "failed", std::errc::state_not_recoverable},
});
static_assert([] {
    for (std::size_t i = 0; i < kCodes.size(); ++i)
        if (static_cast<std::size_t>(kCodes[i].code) != i)
            return false;
    return kCodes.back().code == ErrorCode::internal;
}());

// Boost's base cannot be deleted through its pointer, so it needs no virtual destructor.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-virtual-dtor"
class Category final : public boost::system::error_category
{
public:
    const char* name() const noexcept override { return "lockscope"; }
    std::string message(int value) const override { return rowOf(value).text; }
    boost::system::error_condition default_error_condition(int value) const noexcept override
    {
        return {static_cast<int>(rowOf(value).condition), boost::system::generic_category()};
    }

private:
    static const CodeRow& rowOf(int value)
    {
        const auto index = static_cast<std::size_t>(value) - 1;
        return index < kCodes.size() ? kCodes[index] : kCodes.back();
    }
};
#pragma GCC diagnostic pop

} // namespace

const boost::system::error_category& boostErrorCategory() noexcept
{
    static const Category category;
    return category;
}

const std::error_category& errorCategory() noexcept { return boostErrorCategory(); }

} // namespace lockscope
