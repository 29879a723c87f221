#include "core/queue/wait_parts.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lockscope::queue {

namespace {

struct PartWords
{
    const char* name;
    const char* words;
};
constexpr std::array<PartWords, kWaitParts> kPartWords = {{{"no_server", "no server answered"},
                                                           {"leader_change", "change of leader"},
                                                           {"silent_holder", "silent holder"},
                                                           {"held", "held by others"},
                                                           {"handoff", "handoff"},
                                                           {"server_latency", "server latency"},
                                                           {"not_known", "not known"}}};

} // namespace

const char* name(WaitPart part) { return kPartWords[static_cast<std::size_t>(part)].name; }
const char* words(WaitPart part) { return kPartWords[static_cast<std::size_t>(part)].words; }

WaitSplit splitWait(std::int64_t begin, std::int64_t end, const std::vector<WaitEvidence>& evidence,
                    const std::vector<WaitPart>& told)
{
    WaitSplit split;
    split.whole = std::max<std::int64_t>(end - begin, 0);
    for (const WaitPart part : told)
        split.parts[static_cast<std::size_t>(part)] = 0;
    split.parts[static_cast<std::size_t>(WaitPart::notKnown)] = 0;
    std::vector<WaitEvidence> within;
    std::vector<std::int64_t> moments{begin, begin + split.whole}; // at which something begins or ends
    for (WaitEvidence one : evidence) {
        one.begin = std::max(one.begin, begin);
        one.end = std::min(one.end, end);
        if (one.begin >= one.end || !split.of(one.part))
            continue;
        moments.insert(moments.end(), {one.begin, one.end});
        within.push_back(one);
    }
    std::sort(moments.begin(), moments.end());
    moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
    std::stable_sort(within.begin(), within.end(),
                     [](const WaitEvidence& a, const WaitEvidence& b) { return a.begin < b.begin; });
    std::map<std::pair<WaitPart, std::size_t>, std::int64_t> shares;
    std::vector<WaitEvidence> now;
    std::size_t next = 0;
    for (std::size_t i = 0; i + 1 < moments.size(); ++i) {
        const std::int64_t from = moments[i], span = moments[i + 1] - from;
        std::erase_if(now, [from](const WaitEvidence& one) { return one.end <= from; });
        for (; next < within.size() && within[next].begin <= from; ++next)
            now.push_back(within[next]);
        const auto counts =
            std::min_element(now.begin(), now.end(),
                             [](const WaitEvidence& a, const WaitEvidence& b) { return a.part < b.part; });
        const WaitPart part = counts == now.end() ? WaitPart::notKnown : counts->part;
        *split.parts[static_cast<std::size_t>(part)] += span;
        if (counts != now.end() && counts->holder != WaitEvidence::kNobody)
            shares[{part, counts->holder}] += span;
    }
    for (const auto& [of, span] : shares)
        split.holders.push_back({of.first, of.second, span});
    std::stable_sort(split.holders.begin(), split.holders.end(),
                     [](const WaitSplit::Share& a, const WaitSplit::Share& b) { return a.span > b.span; });
    return split;
}

} // namespace lockscope::queue
