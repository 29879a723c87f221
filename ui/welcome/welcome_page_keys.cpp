// The ways through the welcome page: from the search to the cards, from card to card, to a group.
#include "ui/welcome/scenario_card.h"
#include "ui/welcome/scenario_grid.h"
#include "ui/welcome/adjacent_card.h"
#include "ui/welcome/welcome_page.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>
#include <optional>

namespace lockscope::ui {

// Down goes to the first card, Enter starts it.
bool WelcomePage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const auto shown = shownCards();
        if (!shown.empty() && key == Qt::Key_Down) {
            shown.front()->setFocus();
            m_scroll->ensureWidgetVisible(shown.front());
            return true;
        }
        if (!shown.empty() && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
            emit scenarioChosen(shown.front()->name(),
                             static_cast<QKeyEvent*>(event)->modifiers().testFlag(Qt::ShiftModifier));
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

// Across the groups; up from the first row is back to the search.
void WelcomePage::moveFrom(const ScenarioCard* card, int key)
{
    const std::vector<ScenarioCard*> shown = shownCards();
    std::vector<QRect> places;
    for (const ScenarioCard* one : shown) {
        places.push_back(QRect(one->mapTo(m_scroll->widget(), QPoint()), one->size()));
    }
    const auto at = static_cast<std::size_t>(std::find(shown.begin(), shown.end(), card) - shown.begin());
    if (const std::optional<std::size_t> to = adjacentCard(places, at, key)) {
        shown[*to]->setFocus();
        m_scroll->ensureWidgetVisible(shown[*to], 0, 30);
    } else if (key == Qt::Key_Up) {
        m_search->setFocus();
        m_scroll->ensureVisible(0, 0);
    }
}

// To its heading; the keys go on from its first card.
void WelcomePage::goTo(ScenarioGrid* group)
{
    m_scroll->verticalScrollBar()->setValue(group->mapTo(m_scroll->widget(), QPoint()).y());
    for (ScenarioCard* card : shownCards()) {
        if (group->isAncestorOf(card)) {
            card->setFocus();
            return;
        }
    }
}

} // namespace lockscope::ui
