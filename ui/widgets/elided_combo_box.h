// A combo box that elides its text where it is too narrow for it: one with a style sheet cuts it. GUI thread.
#pragma once

#include <QComboBox>

namespace lockscope::ui {

class ElidedComboBox : public QComboBox
{
    Q_OBJECT
public:
    using QComboBox::QComboBox;
    QString elidedText() const; // what is drawn of the current text
    int widthOfText() const;    // of the box, so that nothing of its text is elided

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int roomForText() const;
};

} // namespace lockscope::ui
