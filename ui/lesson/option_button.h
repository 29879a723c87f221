// One answer of a bet: a number key, a mark that shows whether it is chosen, and a text of several lines. GUI
// thread.
#pragma once

#include <QAbstractButton>

namespace lockscope::ui {

class Theme;

class OptionButton : public QAbstractButton
{
    Q_OBJECT
public:
    // `digit`: the key that chooses it. `several`: more than one can be chosen.
    OptionButton(const Theme* theme, int digit, const QString& text, bool several, QWidget* parent);

    // The number of hands raised for this answer; below 0, hands are not counted. With hands, a click raises
    // one (clicked()), a right click lowers one (handLowered()), and the caller decides whether it is
    // checked.
    void setHands(int hands);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

signals:
    void handLowered();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QString shown() const;
    QString handsText() const;
    int right() const; // the width that the text leaves free on the right
    const Theme* m_theme;
    int m_digit;
    bool m_several;
    int m_hands = -1;
};

} // namespace lockscope::ui
