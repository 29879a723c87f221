// A card: a header with a bold title and a quiet caption, and a view below it, in one rounded frame. The two
// halves are widgets of their own because a dock widget wants its title bar apart. GUI thread.
#pragma once

#include <QWidget>

class QHBoxLayout;
class QTabBar;
class QToolButton;

namespace lockscope::ui {

class Theme;

class CardHeader : public QWidget
{
    Q_OBJECT
public:
    static constexpr int kHeight = 35;
    CardHeader(const QString& title, Theme* theme, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    void setCaption(const QString& variants); // shorter ones behind kVariantSeparator, for narrow cards
    QString caption() const;                  // the whole
    void setChooser(QToolButton* chooser);    // in place of the title
    void setPictureMode();                    // for a picture: the title again, in the chooser's words
    // The titles of the cards that lie in one place, its own at `own`; fewer than two: its title again.
    void setTabs(const QStringList& titles, int own);
    QTabBar* tabs() const { return m_tabs; } // null when there never were any
    // Shows in the header how to restore a maximized card.
    void setMaximized(bool alone, const QString& words, const QString& explanation);
    QSize sizeHint() const override { return {120, kHeight}; }
    QSize minimumSizeHint() const override { return {60, kHeight}; }

signals:
    void tabChosen(int tab); // another than its own
    void doubleClicked();
    void restoreRequested(); // the button that leads back was clicked

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    QHBoxLayout* row();
    void makeTabs();
    bool showsTitle() const;
    int rightSide() const; // where the caption ends, from the right
    void placeRestoreButton();
    int captionWidth() const;
    QString shownCaption() const;
    void updateToolTip();
    QString m_title, m_caption;
    QToolButton* m_chooser = nullptr;
    QToolButton* m_restoreButton = nullptr;
    QTabBar* m_tabs = nullptr;
    int m_own = 0;
    Theme* m_theme;
};

class CardBody : public QWidget
{
    Q_OBJECT
public:
    // Above the view and below it; both may be null.
    CardBody(QWidget* header, QWidget* view, QWidget* footer, Theme* theme, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme* m_theme;
};

} // namespace lockscope::ui
