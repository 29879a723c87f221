// The question that the chain's tests ask of its layout.
#pragma once

#include "tests/ui/chain/lock_state_builder.h"
#include "ui/chain/chain_layout.h"

namespace lockscope::tests {

inline ui::chain::ChainQuery queryOf(const LockStateBuilder& builder, QSizeF size = {900, 400})
{
    ui::chain::ChainQuery query;
    query.state = &builder.state;
    query.now = builder.state.now;
    query.viewport = size;
    return query;
}

} // namespace lockscope::tests
