// Where an arrow key goes from a story's card. Pure.
#pragma once

#include <QRect>

#include <cstddef>
#include <optional>
#include <vector>

namespace lockscope::ui {

// To the next one in the row, or to the nearest one above or below. None when there is no such card.
std::optional<std::size_t> adjacentCard(const std::vector<QRect>& places, std::size_t from, int key);

} // namespace lockscope::ui
