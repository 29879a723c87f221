#include "ui/welcome/story_grid.h"

#include "ui/models/look.h"
#include "ui/welcome/story_card.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace lockscope::ui {

namespace {
constexpr int kBetween = 16;
}

StoryGrid::StoryGrid(StoryGroup group, const Look* look, QWidget* parent)
    : QWidget(parent)
    , m_look(look)
    , m_heading(new QLabel(titleOf(group), this))
    , m_grid(new QGridLayout)
{
    setAccessibleName(titleOf(group));
    m_grid->setSpacing(kBetween);
    m_grid->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 14);
    column->setSpacing(10);
    column->addWidget(m_heading);
    column->addLayout(m_grid);
    restyle();
}

void StoryGrid::restyle() { m_heading->setFont(m_look->fonts().heading); }

void StoryGrid::filter(const QString& typed)
{
    bool any = false;
    for (StoryCard* card : m_cards) {
        const bool shown = card->matches(typed);
        card->setVisible(shown);
        any = any || shown;
    }
    setVisible(any);
}

// What is hidden has no place: the others move together.
void StoryGrid::arrange(int columns, int width)
{
    const int each = (width - (columns - 1) * kBetween) / columns;
    int at = 0;
    for (StoryCard* card : m_cards) {
        card->setFixedWidth(each);
        m_grid->removeWidget(card);
        if (!card->isHidden()) {
            m_grid->addWidget(card, at / columns, at % columns);
            ++at;
        }
    }
}

} // namespace lockscope::ui
