#include "ui/protocol/protocol_bracket.h"

#include "ui/models/style/format.h"
#include "ui/texts/handoff_text.h"

#include <QFontMetricsF>

#include <algorithm>

namespace lockscope::ui {

namespace {

using Label = ProtocolBracket::Label;

constexpr double kLeader = 16; // pixels from a number to its part: room for a line that touches neither

// Places each label beside the middle of its part, or as near to it as the other labels allow.
void spread(std::vector<Label>& labels, double height, double top, double bottom)
{
    double free = top;
    for (Label& label : labels) {
        label.rect.moveTop(std::max(free, label.middle - height / 2));
        free = label.rect.bottom();
    }
    double end = bottom;
    for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
        label->rect.moveBottom(std::min(end, label->rect.bottom()));
        end = label->rect.top();
    }
}

} // namespace

ProtocolBracket layOutBracket(const replay::Handoff& handoff, const ProtocolPicture& picture,
                              const QFont& font, double top, double bottom)
{
    ProtocolBracket bracket;
    bracket.handoff = handoff;
    bracket.x = ProtocolColumns::kGutter - 14;
    bracket.ticks.push_back(picture.yAt(handoff.released));
    const std::vector<HandoffStep> steps = knownHandoffSteps(handoff);
    const format::Scale scale = handoffScale(steps);
    TraceTime at = handoff.released;
    const double height = QFontMetricsF(font).height() - 1;
    std::vector<std::pair<Duration, Label>> all;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        at += steps[i].length;
        const double from = std::max(top, bracket.ticks.back());
        const double end = picture.yAt(at);
        bracket.ticks.push_back(end);
        const double to = std::min(bottom, end);
        if (steps[i].length > Duration::zero() && from <= to)
            all.push_back({steps[i].length,
                           {QRectF(2, 0, bracket.x - 2 - kLeader, height),
                            scale.numbers[static_cast<qsizetype>(i)], (from + to) / 2}});
    }
    for (const ProtocolFold& fold : picture.folds)
        if (fold.band.top() > bracket.ticks.front() && fold.band.bottom() < bracket.ticks.back())
            bracket.breaks.push_back(fold.band.center().y());
    // The unit stands above the first number.
    const double least = std::max(top + height, bracket.ticks.front() - height);
    const double most = std::min(bottom, bracket.ticks.back() + height);
    while (!all.empty() && static_cast<double>(all.size()) * height > most - least)
        all.erase(std::ranges::min_element(all, {}, &std::pair<Duration, Label>::first));
    for (auto& [length, label] : all)
        bracket.labels.push_back(std::move(label));
    spread(bracket.labels, height, least, most);
    if (!bracket.labels.empty())
        bracket.unit = {bracket.labels.front().rect.translated(0, -height), scale.unit, 0};
    return bracket;
}

} // namespace lockscope::ui
