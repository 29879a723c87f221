#include "ui/welcome/scenario_grid.h"

#include "ui/models/style/theme.h"
#include "ui/welcome/scenario_card.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope::ui {

namespace {

constexpr int kCardGap = 16;
// The width from which a row has this many cards. The four scenarios for beginners fill whole rows on most
// screens.
constexpr std::array<std::pair<int, int>, 3> kColumns{{{2100, 6}, {1060, 4}, {560, 2}}};

} // namespace

ScenarioGrid::ScenarioGrid(ScenarioGroup group, const Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_heading(new QLabel(titleOf(group), this))
    , m_grid(new QGridLayout)
{
    setAccessibleName(titleOf(group));
    m_grid->setSpacing(kCardGap);
    m_grid->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 14);
    column->setSpacing(10);
    column->addWidget(m_heading);
    column->addLayout(m_grid);
    applyTheme();
}

void ScenarioGrid::applyTheme() { m_heading->setFont(m_theme->fonts().heading); }

void ScenarioGrid::filter(const QString& typed)
{
    bool any = false;
    for (ScenarioCard* card : m_cards) {
        const bool shown = card->matches(typed);
        card->setVisible(shown);
        any = any || shown;
    }
    setVisible(any);
}

// Hidden cards leave no gap.
void ScenarioGrid::arrange(int columns, int width)
{
    const int each = (width - (columns - 1) * kCardGap) / columns;
    int at = 0;
    for (ScenarioCard* card : m_cards) {
        card->setFixedWidth(each);
        m_grid->removeWidget(card);
        if (!card->isHidden()) {
            m_grid->addWidget(card, at / columns, at % columns);
            ++at;
        }
    }
}

int ScenarioGrid::columnsIn(int width)
{
    const auto fits = std::find_if(kColumns.begin(), kColumns.end(),
                                   [width](const auto& one) { return width >= one.first; });
    return fits != kColumns.end() ? fits->second : 1;
}

} // namespace lockscope::ui

#include "moc_scenario_grid.cpp"
