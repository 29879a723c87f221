// Two cards, large, and nothing else: for a lecture hall. It borrows the cards' insides from the docks and
// draws them enlarged, so they behave as ever; when it is left they go back. GUI thread.
#pragma once

#include <QWidget>

#include "ui/models/settings.h"

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
    // Which two; names as in ViewEntry. The same one twice changes places with the other.
    void choose(std::size_t place, const QString& card);
    // The same without keeping it: until the next choice, or leave().
    void showMeanwhile(const QString& first, const QString& second);
    // Where a part of an embedded widget is, in this view; empty: it is not embedded.
    QRect placeOf(const QWidget& embedded, const QRect& part) const;
    QString chosen(std::size_t place) const { return m_chosen.at(place); }
    double scale() const { return m_scale; }
    void setScale(double scale); // kept within the limits

signals:
    void closeRequested(); // Esc, or the button
    void scaleChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // the scene follows the viewport
    void keyPressEvent(QKeyEvent* event) override;

private:
    void makeToolBar();
    void restoreSettings();
    void showPair(const std::array<QString, 2>& cards);
    void exchange(std::size_t place, const QString& card); // of two cards one; the other changes places with it
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
    QSplitter* m_pair; // the scene's
    QGraphicsProxyWidget* m_proxy;
    std::array<QWidget*, 2> m_halves{};
    std::array<DockCard*, 2> m_embedded{};
    std::array<QString, 2> m_chosen{QStringLiteral("chain"), QStringLiteral("timeline")};
    std::optional<std::array<QString, 2>> m_before; // showMeanwhile()
    std::array<QComboBox*, 2> m_choices{};
    QToolButton* m_sideBySide = nullptr;
    double m_scale = kDefaultScale;
    bool m_open = false;
};

} // namespace lockscope::ui
