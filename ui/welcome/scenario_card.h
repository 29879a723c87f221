// A scenario on the welcome page: picture, title, one line. A button: a click, Space or Enter chooses it,
// Shift+Enter chooses it step by step; arrow keys move to another card. GUI thread.
#pragma once

#include <QAbstractButton>

#include "ui/welcome/picture_plan.h"
#include "ui/welcome/scenario_entry.h"

namespace lockscope::ui {

class Theme;

class ScenarioCard : public QAbstractButton
{
    Q_OBJECT
public:
    ScenarioCard(const ScenarioEntry& story, const Theme* theme, QWidget* parent);
    const QString& name() const { return m_name; }
    ScenarioGroup group() const { return m_group; }
    // True if the title, the line or the name contains every word.
    bool matches(const QString& typed) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

signals:
    void chosen(bool stepped);
    void moveRequested(int key); // an arrow key

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void paintText(QPainter& painter, QRectF room) const;
    QString m_name, m_line;
    ScenarioGroup m_group;
    PicturePlan m_plan;
    const Theme* m_theme;
};

} // namespace lockscope::ui
