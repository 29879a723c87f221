// Tests of the mutex, under both handoff policies, with a link that can fail. Test thread only.
#pragma once

#include "tests/lock/lock_test.h"
#include "tests/support/lossy_relay.h"

namespace lockscope::tests {

class OverRelay : public EitherPolicy
{
protected:
    void SetUp() override
    {
        EitherPolicy::SetUp();
        relay = std::make_unique<LossyRelay>(server().address());
        makePath();
    }
    void TearDown() override
    {
        relay->heal();
        EitherPolicy::TearDown();
        relay.reset();
    }
    // A client behind the faulty link.
    LockClient& addOverRelay() { return addClient(relay->address()); }

    std::unique_ptr<LossyRelay> relay;
};

} // namespace lockscope::tests
