#include "ui/chain/chain_cycle.h"

#include "ui/texts/chain_text.h"
#include "ui/texts/client_status.h"

#include <algorithm>

namespace lockscope::ui::chain {

namespace {

constexpr double kTitle = 78, kChip = 72, kArrow = 96, kMinArrow = 40, kHeight = 34;
constexpr std::size_t kMaxChips = 8;

QString wantedBy(const replay::RunState& state, const replay::ClientRow& client)
{
    LockId wanted = LockId::none();
    client.forEach([&](const replay::LockUse& one) {
        if (one.waits())
            wanted = one.lock;
    });
    return wanted.valid() ? lockLabel(state, wanted) : QString();
}

} // namespace

void addCycle(ChainScene& scene, const ChainQuery& query)
{
    const replay::RunState& state = *query.state;
    if (state.cycle.empty() || scene.outsideRect.isNull())
        return;
    const double unit = query.unit;
    const std::size_t named = std::min(state.cycle.size(), kMaxChips);
    const std::size_t count = named + 1; // plus the first client again, or the chip for the others
    const QRectF line = scene.outsideRect;
    const auto arrows = static_cast<double>(count - 1);
    const double fixed = (kTitle + 16) * unit + static_cast<double>(count) * kChip * unit;
    const double arrow = std::clamp((line.width() - fixed) / arrows, kMinArrow * unit, kArrow * unit);
    const double height = std::min(line.height(), kHeight * unit);
    scene.cycle.rect = {line.left(), line.center().y() - height / 2,
                        std::min(line.width(), fixed + arrows * arrow), height};
    scene.cycle.title = ChainText::cycleTitle();
    scene.outside.clear(); // its place is taken
    double x = line.left() + kTitle * unit;
    for (std::size_t i = 0; i < count; ++i) {
        CycleChip chip;
        chip.rect = {x, scene.cycle.rect.top(), kChip * unit, height};
        const bool others = i == named && named < state.cycle.size();
        if (!others)
            chip.client = state.cycle[i % named];
        chip.name = others ? QStringLiteral("…") : clientName(state, chip.client);
        if (const replay::ClientRow* client = state.client(chip.client)) {
            chip.colour = client->colour;
            if (i + 1 < count)
                chip.wants = wantedBy(state, *client);
        }
        if (chip.rect.right() > line.right())
            break;
        scene.cycle.chips.push_back(std::move(chip));
        x += kChip * unit + arrow;
    }
}

} // namespace lockscope::ui::chain
