// Says over the lower right corner of a view that it stands still while the run goes on, and offers to follow
// it again. GUI thread.
#pragma once

#include <QWidget>

#include "ui/models/theme.h"

class QLabel;
class QToolButton;

namespace lockscope::ui {

class FollowNotice : public QWidget
{
    Q_OBJECT
public:
    FollowNotice(Theme* theme, QWidget* parent);
    // Nothing to say hides it. `corner`: where its lower right corner goes, in the parent.
    void showMessage(const QString& words, QPoint corner);
    QString words() const;
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
