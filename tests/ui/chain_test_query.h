// The question that the chain's tests ask of its layout.
#pragma once

#include "tests/ui/chain_test_sketch.h"
#include "ui/chain/chain_layout.h"

namespace lockscope::tests {

inline ui::chain::ChainQuery queryOf(const Sketch& sketch, QSizeF size = {900, 400})
{
    ui::chain::ChainQuery query;
    query.state = &sketch.state;
    query.now = sketch.state.now;
    query.viewport = size;
    return query;
}

} // namespace lockscope::tests
