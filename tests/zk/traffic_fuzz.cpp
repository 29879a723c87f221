#include "tests/zk/traffic_fuzz.h"

#include "core/zk/wire/traffic_reader.h"
#include "tests/support/fuzz.h"

#include <algorithm>

namespace lockscope::tests {

namespace {

namespace wire = zk::wire;

class Transcript final : public wire::TrafficSink
{
public:
    void onSession(const wire::ConnectReply& reply) override
    {
        line("session", {std::to_string(reply.identity.session), std::to_string(reply.timeoutMs)});
    }
    std::uint32_t onRequest(const wire::SeenRequest& seen) override
    {
        const auto flag = [](bool set, const char* word) { return std::string(set ? word : ""); };
        line("request", {std::to_string(static_cast<int>(seen.op)), seen.path,
                         flag(seen.watch, "watch") + flag(seen.ephemeral, "ephemeral") +
                             flag(seen.sequential, "sequential")});
        return ++m_requests;
    }
    void onReply(const wire::SeenRequest& request, const wire::SeenReply& reply) override
    {
        require(request.tag >= 1 && request.tag <= m_requests, "a reply answers a request");
        std::string names;
        for (const std::string& name : reply.children)
            names += (names.empty() ? "" : " ") + name;
        line("reply", {std::to_string(request.tag), std::to_string(reply.error), reply.path, names});
    }
    void onWatch(const wire::WatcherEvent& event) override
    {
        line("watch", {std::to_string(event.type), std::string(event.path)});
    }

    std::string text;

private:
    void line(const char* what, std::initializer_list<std::string> fields)
    {
        text += what;
        for (const std::string& field : fields)
            text += field.empty() ? "" : " " + field;
        text += '\n';
    }
    std::uint32_t m_requests = 0;
};

} // namespace

std::string transcriptOf(std::string_view pieces, bool byteByByte)
{
    Transcript transcript;
    wire::TrafficReader reader(transcript);
    while (!pieces.empty()) {
        const auto head = static_cast<unsigned char>(pieces.front());
        std::string_view piece = pieces.substr(1, head & 0x7f);
        pieces.remove_prefix(1 + piece.size());
        for (std::size_t size = byteByByte ? 1 : piece.size(); !piece.empty(); piece.remove_prefix(size))
            head & 0x80 ? reader.fromServer(piece.substr(0, size)) : reader.fromClient(piece.substr(0, size));
    }
    return transcript.text + (reader.understood() ? "" : "not understood\n");
}

void readAsTraffic(std::string_view input)
{
    const std::string whole = transcriptOf(input, false);
    require(transcriptOf(input, true) == whole, "cuts change nothing that is read");
    const auto lines = static_cast<std::size_t>(std::count(whole.begin(), whole.end(), '\n'));
    require(lines <= input.size(), "what was read was there");
}

} // namespace lockscope::tests

LOCKSCOPE_FUZZ_TARGET(lockscope::tests::readAsTraffic)
