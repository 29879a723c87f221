// One answer of a bet: a number key, a mark that shows whether it is chosen, and a text of several lines; or,
// without a mark, one move of a puzzle. GUI thread.
#pragma once

#include <QAbstractButton>

namespace lockscope::ui {

class Theme;

class OptionButton : public QAbstractButton
{
    Q_OBJECT
public:
    enum class Mark {
        none, // it is only clicked
        one,  // of all, one can be chosen
        several
    };
    // `digit`: the key that chooses it; 0: none.
    OptionButton(const Theme* theme, int digit, const QString& text, Mark mark, QWidget* parent);

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
    int left() const;  // the width that the text leaves free on the left
    int right() const; // and on the right
    int padding() const;
    void paintMark(QPainter& painter, bool marked) const;
    const Theme* m_theme;
    int m_digit;
    Mark m_mark;
    int m_hands = -1;
};

} // namespace lockscope::ui
