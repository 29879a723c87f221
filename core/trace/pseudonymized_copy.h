// The trace of a run that is shown with real session ids, as files get it: with the pseudonyms that
// TraceStore::setWrittenSessionNames() names, the same events at the same indexes. For pictures and exports.
// One thread.
#pragma once

#include "core/trace/store.h"

#include <memory>

namespace lockscope::trace {

class PseudonymizedCopy
{
public:
    // The store has writtenSessionNames().
    explicit PseudonymizedCopy(std::shared_ptr<const TraceStore> original);
    const TraceStore& original() const { return *m_original; }
    // Up to what the original has now. The store only grows; texts in it live as long as it.
    std::shared_ptr<const TraceStore> update();

private:
    std::shared_ptr<const TraceStore> m_original;
    std::shared_ptr<TraceStore> m_copy;
};

} // namespace lockscope::trace
