// A group of scenarios: a heading, and its cards in columns. GUI thread.
#pragma once

#include <QWidget>

#include "ui/welcome/scenario_entry.h"

#include <vector>

class QGridLayout;
class QLabel;

namespace lockscope::ui {

class Theme;
class ScenarioCard;

class ScenarioGrid : public QWidget
{
    Q_OBJECT
public:
    ScenarioGrid(ScenarioGroup group, const Theme* theme, QWidget* parent);
    void add(ScenarioCard* card) { m_cards.push_back(card); }
    void applyTheme();
    // Hides cards that do not match, and itself when none does.
    void filter(const QString& typed);
    void arrange(int columns, int width);
    static int columnsIn(int width);

private:
    const Theme* m_theme;
    QLabel* m_heading;
    QGridLayout* m_grid;
    std::vector<ScenarioCard*> m_cards;
};

} // namespace lockscope::ui
