// A short label on a rounded background in the color of its meaning. GUI thread.
#pragma once

#include <QWidget>

#include "ui/models/style/theme.h"

namespace lockscope::ui {

class StatusBadge : public QWidget
{
    Q_OBJECT
public:
    enum class Kind { good, warning, bad };
    StatusBadge(Theme* theme, QWidget* parent);
    void show(const QString& text, Kind kind); // an empty text hides it
    QString text() const { return m_text; }
    Kind kind() const { return m_kind; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme* m_theme;
    QString m_text;
    Kind m_kind = Kind::good;
};

} // namespace lockscope::ui
