// A notice in the lower right corner of a view that does not follow a growing run, with a button to follow
// it. GUI thread.
#pragma once

#include <QWidget>

#include "ui/models/style/theme.h"

class QLabel;
class QToolButton;

namespace lockscope::ui {

class FollowNotice : public QWidget
{
    Q_OBJECT
public:
    FollowNotice(Theme* theme, QWidget* parent);
    // An empty text hides it. `corner`: the position of its lower right corner in the parent.
    void showMessage(const QString& text, QPoint corner);
    QString text() const;
    bool hasFocusInside() const;

signals:
    void followRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void applyTheme();
    Theme* m_theme;
    QLabel* m_words;
    QToolButton* m_follow;
};

} // namespace lockscope::ui
