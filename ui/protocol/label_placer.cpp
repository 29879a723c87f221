#include "ui/protocol/label_placer.h"

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {

constexpr std::size_t kRecent = 160; // entries that may still be in the way

bool anyOf(const std::vector<ProtocolBand>& all, const ProtocolBand& at, std::size_t except,
           std::size_t latest)
{
    for (std::size_t i = all.size() - std::min(all.size(), latest); i < all.size(); ++i)
        if (i != except && at.overlaps(all[i]))
            return true;
    return false;
}

} // namespace

bool ProtocolBand::overlaps(const ProtocolBand& other) const
{
    const double from = std::max(left, other.left);
    const double to = std::min(right, other.right);
    if (from >= to)
        return false;
    const auto at = [](const ProtocolBand& band, double x) {
        const double width = std::max(1e-9, band.right - band.left);
        return band.yLeft + (band.yRight - band.yLeft) * (x - band.left) / width;
    };
    const double first = at(*this, from) - at(other, from);
    const double last = at(*this, to) - at(other, to);
    const double least = first * last <= 0 ? 0 : std::min(std::abs(first), std::abs(last));
    return least < half + other.half;
}

ProtocolBand ProtocolBand::of(const QRectF& rect)
{
    return {rect.left(), rect.right(), rect.center().y(), rect.center().y(), rect.height() / 2};
}

ProtocolBand ProtocolBand::of(QPointF from, QPointF to, double half)
{
    if (from.x() > to.x())
        std::swap(from, to);
    return {from.x(), to.x(), from.y(), to.y(), half};
}

std::size_t LabelPlacer::write(const ProtocolBand& words)
{
    m_words.push_back(words);
    return m_words.size() - 1;
}

bool LabelPlacer::overlapsText(const ProtocolBand& at, std::size_t except) const
{
    return anyOf(m_words, at, except, kRecent);
}

bool LabelPlacer::overlapsShaft(const ProtocolBand& at) const { return anyOf(m_shafts, at, kNone, kRecent); }

bool LabelPlacer::isFree(const ProtocolBand& at, bool besideShafts) const
{
    return !anyOf(m_words, at, kNone, m_words.size()) &&
           !(besideShafts && anyOf(m_shafts, at, kNone, m_shafts.size()));
}

} // namespace lockscope::ui
