#include "core/zk/host_lookups.h"

#include <utility>

namespace lockscope::zk {

void HostLookups::start(std::string hosts, Done done)
{
    const auto kept = std::make_shared<Done>(std::move(done)); // it is needed when there is no thread
    const Result<void> started =
        m_background.start([hosts = std::move(hosts), kept]() mutable -> Background::Delivery {
            return [found = resolveEveryHost(hosts), kept = std::move(kept)]() mutable {
                (*kept)(std::move(found));
            };
        });
    if (!started)
        m_background.deliver([error = started.error(), kept] { (*kept)(error); });
}

} // namespace lockscope::zk
