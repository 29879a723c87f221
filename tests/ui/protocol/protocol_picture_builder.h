// A trace's protocol as a picture of any size and end, without a window.
#pragma once

#include "core/replay/fold/reducer.h"
#include "ui/models/style/palette.h"
#include "ui/protocol/protocol_picture.h"

#include <memory>

namespace lockscope::ui::test {

struct ProtocolPictureBuilder
{
    std::shared_ptr<trace::TraceStore> store;
    replay::Timeline timeline;
    explicit ProtocolPictureBuilder(std::shared_ptr<trace::TraceStore> events)
        : store(std::move(events))
    {
        replay::RunState state;
        for (std::size_t i = 0; i < store->count(); ++i)
            timeline.apply(*store, i, state, replay::apply(state, *store, i));
    }
    ProtocolPicture picture(std::size_t limit, std::uint32_t clients, QSize size, double zoom = 1,
                            bool fromBottom = true) const
    {
        const Fonts fonts = Fonts::standard();
        ProtocolInput input;
        input.store = store.get();
        input.timeline = &timeline;
        replay::ProtocolQuery query;
        query.limit = limit;
        query.rows = static_cast<std::size_t>(size.height()) / 9;
        for (std::uint32_t i = 0; i < clients; ++i) {
            query.clients.push_back(ClientId{i});
            input.lanes.push_back({ClientId{i}, QStringLiteral("c%1").arg(i), static_cast<std::uint16_t>(i)});
        }
        input.protocol = replay::buildProtocol(*store, query);
        input.size = size;
        input.text = fonts.text;
        input.small = fonts.small;
        input.mono = fonts.monoSmall;
        input.zoom = zoom;
        input.fromBottom = fromBottom;
        input.now = store->at(limit - 1).at;
        return buildProtocolPicture(std::move(input));
    }
};

} // namespace lockscope::ui::test
