#include "tests/server/packet_fuzz.h"

#include "core/server/relay/packet_reader.h"
#include "tests/support/fuzz.h"

#include <algorithm>
#include <vector>

namespace lockscope::tests {

namespace {

struct FoundPacket
{
    std::int32_t xid;
    std::int32_t type;
    bool operator==(const FoundPacket&) const = default;
};

std::vector<FoundPacket> packetsIn(std::string_view bytes, std::size_t chunkSize)
{
    std::vector<FoundPacket> found;
    server::PacketReader reader;
    for (std::size_t from = 0; from < bytes.size(); from += chunkSize) {
        const std::string_view chunk = bytes.substr(from, chunkSize);
        std::size_t at = 0;
        while (const auto packet = reader.next(chunk, at)) {
            require(packet->start < chunk.size() && at <= chunk.size(), "a packet begins in its chunk");
            found.push_back({packet->xid, packet->type});
        }
    }
    return found;
}

} // namespace

void readAsPackets(std::string_view input)
{
    if (input.empty())
        return;
    const std::size_t chunkSize = std::max<std::size_t>(1, static_cast<unsigned char>(input.front()));
    input.remove_prefix(1);
    const auto whole = packetsIn(input, std::max<std::size_t>(1, input.size()));
    require(packetsIn(input, chunkSize) == whole && packetsIn(input, 1) == whole, "cuts change no packet");
    require(whole.size() <= input.size() / 12, "a packet found has a header");
}

} // namespace lockscope::tests

LOCKSCOPE_FUZZ_TARGET(lockscope::tests::readAsPackets)
