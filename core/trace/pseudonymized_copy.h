// A copy of a trace that has real session ids, with the pseudonyms given to
// TraceStore::setWrittenSessionNames(), as in trace files. The same events are at the same indexes. For
// pictures and exports. One thread.
#pragma once

#include "core/trace/store.h"

#include <memory>

namespace lockscope::trace {

class PseudonymizedCopy
{
public:
    // The store must have writtenSessionNames().
    explicit PseudonymizedCopy(std::shared_ptr<const TraceStore> original);
    const TraceStore& original() const { return *m_original; }
    // Copies the events that the original has by now and returns the copy, which only grows and owns its
    // texts.
    std::shared_ptr<const TraceStore> update();

private:
    std::shared_ptr<const TraceStore> m_original;
    std::shared_ptr<TraceStore> m_copy;
};

} // namespace lockscope::trace
