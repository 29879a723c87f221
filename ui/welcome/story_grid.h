// One group of stories: a heading, and its cards in as many columns as it is told. GUI thread.
#pragma once

#include <QWidget>

#include "ui/welcome/story.h"

#include <vector>

class QGridLayout;
class QLabel;

namespace lockscope::ui {

class Look;
class StoryCard;

class StoryGrid : public QWidget
{
    Q_OBJECT
public:
    StoryGrid(StoryGroup group, const Look* look, QWidget* parent);
    void add(StoryCard* card) { m_cards.push_back(card); }
    void restyle();
    // Hides what does not match, and itself when nothing does.
    void filter(const QString& typed);
    void arrange(int columns, int width);
    static int columnsIn(int width);

private:
    const Look* m_look;
    QLabel* m_heading;
    QGridLayout* m_grid;
    std::vector<StoryCard*> m_cards;
};

} // namespace lockscope::ui
