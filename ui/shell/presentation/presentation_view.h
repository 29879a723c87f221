// Shows only two cards, enlarged, for a lecture hall. It borrows the cards' contents from the docks, so that
// they behave as usual, and returns them when the user leaves. GUI thread.
#pragma once

#include <QWidget>

#include "ui/models/style/settings.h"

#include <array>
#include <optional>

class QComboBox;
class QGraphicsProxyWidget;
class QGraphicsView;
class QSplitter;
class QToolButton;

namespace lockscope::ui {

class DockArea;
class DockCard;
class Theme;

class PresentationView : public QWidget
{
    Q_OBJECT
public:
    static constexpr double kMinScale = 1, kDefaultScale = 1.5, kMaxScale = 3;
    PresentationView(DockArea* docks, Theme* theme, Settings settings, QWidget* parent);
    ~PresentationView() override;

    bool isOpen() const { return m_open; }
    void open();
    void leave();
    // Chooses the card at a place, by its name in ViewEntry. Choosing the card at the other place swaps the
    // two.
    void choose(std::size_t place, const QString& card);
    // Shows these two without saving the choice, until the next choose() or leave().
    void showMeanwhile(const QString& first, const QString& second);
    // The rectangle of a part of an embedded widget, in this view's coordinates; empty: the widget is not
    // embedded.
    QRect placeOf(const QWidget& embedded, const QRect& part) const;
    QString chosen(std::size_t place) const { return m_chosen.at(place); }
    double scale() const { return m_scale; }
    void setScale(double scale); // clamped to the limits

signals:
    void closeRequested(); // by Esc or the Leave button
    void scaleChanged();

protected:
    bool eventFilter(QObject* watched,
                     QEvent* event) override; // lays the scene out when the viewport is resized
    void keyPressEvent(QKeyEvent* event) override;

private:
    void makeToolBar();
    void restoreSettings();
    void showPair(const std::array<QString, 2>& cards);
    void exchange(std::size_t place, const QString& card); // swaps the two if it is at the other place
    QToolButton* addButton(QLayout* toolBar, const char* name, QString (*text)(), QString (*tip)());
    void retranslate();
    void embedCard(std::size_t place);
    void releaseCard(std::size_t place);
    void layOut();
    void scaleToolBar();
    void setSideBySide(bool sideBySide);

    DockArea* m_docks;
    Theme* m_theme;
    Settings m_settings;
    QGraphicsView* m_view;
    QWidget* m_toolBar = nullptr;
    QSplitter* m_pair; // owned by the scene
    QGraphicsProxyWidget* m_proxy;
    std::array<QWidget*, 2> m_halves{};
    std::array<DockCard*, 2> m_embedded{};
    std::array<QString, 2> m_chosen{QStringLiteral("chain"), QStringLiteral("timeline")};
    std::optional<std::array<QString, 2>> m_before; // the choice before showMeanwhile()
    std::array<QComboBox*, 2> m_choices{};
    QToolButton* m_sideBySide = nullptr;
    double m_scale = kDefaultScale;
    bool m_open = false;
};

} // namespace lockscope::ui
