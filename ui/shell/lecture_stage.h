// Two cards, large, and nothing else: for a lecture hall. It borrows the cards' insides from the docks and
// draws them enlarged, so they behave as ever; when it is left they go back. GUI thread.
#pragma once

#include <QWidget>

#include <array>

class QComboBox;
class QGraphicsProxyWidget;
class QGraphicsView;
class QSettings;
class QSplitter;
class QToolButton;

namespace lockscope::ui {

class DockArea;
class DockCard;
class Look;

class LectureStage : public QWidget
{
    Q_OBJECT
public:
    static constexpr double kLeastScale = 1, kUsualScale = 1.5, kLargestScale = 3;
    // `settings` may be null: then nothing is kept.
    LectureStage(DockArea* docks, Look* look, QSettings* settings, QWidget* parent);
    ~LectureStage() override;

    bool isOpen() const { return m_open; }
    void open();
    void leave();
    // Which two; names as in ViewEntry. The same one twice changes places with the other.
    void choose(std::size_t place, const QString& card);
    QString chosen(std::size_t place) const { return m_chosen.at(place); }
    double scale() const { return m_scale; }
    void setScale(double scale); // kept within the limits

signals:
    void wantsToLeave(); // Esc, or the button

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // the scene follows the viewport
    void keyPressEvent(QKeyEvent* event) override;

private:
    void makeFoot();
    void recall();
    QToolButton* addButton(QLayout* foot, const char* name, QString (*text)(), QString (*tip)());
    void say();
    void take(std::size_t place);
    void giveBack(std::size_t place);
    void layOut();
    void scaleFoot();
    void setSideBySide(bool sideBySide);
    void keep(const char* key, const QVariant& value);

    DockArea* m_docks;
    Look* m_look;
    QSettings* m_settings;
    QGraphicsView* m_view;
    QWidget* m_foot = nullptr;
    QSplitter* m_pair; // the scene's
    QGraphicsProxyWidget* m_proxy;
    std::array<QWidget*, 2> m_halves{};
    std::array<DockCard*, 2> m_taken{};
    std::array<QString, 2> m_chosen{QStringLiteral("chain"), QStringLiteral("timeline")};
    std::array<QComboBox*, 2> m_choices{};
    QToolButton* m_beside = nullptr;
    double m_scale = kUsualScale;
    bool m_open = false;
};

} // namespace lockscope::ui
