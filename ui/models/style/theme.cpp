#include "ui/models/style/theme.h"

#include <QGuiApplication>

#include <utility>

namespace lockscope::ui {

namespace {

// @names are replaced by the palette's colors.
constexpr const char* kStyleSheet = R"(
QMainWindow, QDialog { background: @window; }
QFrame[kind="card"] { background: @card; border: 1px solid @cardBorder; border-radius: 8px; }
QToolTip { background: @card; color: @text; border: 1px solid @cardBorder; padding: 4px 6px; }
QPushButton, QToolButton[kind="button"] {
  background: @card; color: @text; border: 1px solid @cardBorder; border-radius: 5px; padding: 5px 12px; }
QPushButton:hover, QToolButton[kind="button"]:hover { background: @panel; }
QPushButton:pressed, QToolButton[kind="button"]:pressed { background: @pill; }
QPushButton:focus, QToolButton[kind="button"]:focus, QComboBox:focus, QLineEdit:focus { border-color: @accent; }
QPushButton:disabled, QToolButton:disabled { color: @textFaint; }
QPushButton[kind="primary"], QToolButton[kind="primary"] {
  background: @primary; color: @onPrimary; border: 1px solid @primary; border-radius: 5px; padding: 5px 12px; }
QPushButton[kind="danger"], QToolButton[kind="danger"] {
  background: @danger; color: @onDanger; border: 1px solid @danger; border-radius: 5px; padding: 5px 12px; }
QPushButton[kind="on"] { background: @selection; color: @selectionText; border: 1px solid @accent; }
QPushButton[kind="primary"]:focus, QPushButton[kind="danger"]:focus, QToolButton[kind="primary"]:focus,
QToolButton[kind="danger"]:focus { border-color: @accent; }
QPushButton[kind="primary"]:disabled, QPushButton[kind="danger"]:disabled, QToolButton[kind="primary"]:disabled,
QToolButton[kind="danger"]:disabled { background: @pill; color: @textFaint; border-color: @cardBorder; }
QComboBox { background: @card; color: @text; border: 1px solid @cardBorder; border-radius: 5px; padding: 5px 10px; }
QComboBox QAbstractItemView { background: @card; color: @text; border: 1px solid @cardBorder;
  selection-background-color: @selection; selection-color: @selectionText; }
QLineEdit, QPlainTextEdit, QSpinBox, QDoubleSpinBox {
  background: @card; color: @text; border: 1px solid @cardBorder; border-radius: 5px; padding: 4px 8px;
  selection-background-color: @accent; selection-color: @onAccent; }
QAbstractItemView QLineEdit { border-radius: 0; padding: 0 2px; }
QMenu { background: @card; color: @text; border: 1px solid @cardBorder; padding: 4px; }
QMenu::item { padding: 5px 22px 5px 18px; border-radius: 4px; }
QMenu::item:selected { background: @selection; color: @selectionText; }
QMenu::item:disabled { color: @textFaint; }
QMenu::separator { height: 1px; background: @grid; margin: 4px 6px; }
QLabel[kind="quiet"] { color: @textMuted; }
QMenuBar { background: @header; color: @text; }
QToolBar { background: @header; border: none; border-bottom: 1px solid @cardBorder; padding: 8px; spacing: 10px; }
QMenuBar::item:selected { background: @selection; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: @cardBorder; }
QSlider::sub-page:horizontal { height: 4px; border-radius: 2px; background: @accent; }
QSlider::handle:horizontal { width: 12px; margin: -5px 0; border-radius: 7px; background: @card;
  border: 2px solid @accent; }
QSlider::handle:horizontal:focus { background: @selection; }
QSplitter::handle { background: transparent; }
QAbstractItemView { background: @card; color: @text; border: none; outline: none;
  selection-background-color: @selection; selection-color: @selectionText; }
QHeaderView::section { background: @card; color: @textMuted; border: none; border-bottom: 1px solid @grid;
  padding: 4px 6px; }
QTabBar[kind="titles"]::tab { background: transparent; color: @textMuted; border: none;
  border-bottom: 2px solid transparent; }
QTabBar[kind="titles"]::tab:hover { color: @text; }
QTabBar[kind="titles"]::tab:selected { background: transparent; color: @text; border: none;
  border-bottom: 2px solid @accent; }
QScrollArea { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @cardBorder; border-radius: 3px; }
QScrollBar::handle:vertical { min-height: 28px; margin: 2px; }
QScrollBar::handle:horizontal { min-width: 28px; margin: 2px; }
QScrollBar::handle:hover { background: @textFaint; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QProgressBar { background: @pill; border: none; border-radius: 3px; color: @text; text-align: center; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }
QRadioButton::indicator { width: 12px; height: 12px; border: 1px solid @textMuted; border-radius: 7px; background: @card; }
QRadioButton::indicator:checked { width: 6px; height: 6px; border: 4px solid @accent; }
QRadioButton:focus { color: @accent; }
)";

} // namespace

Theme::Theme(ColourScheme colourScheme, QObject* parent)
    : QObject(parent)
    , m_colourScheme(colourScheme)
    , m_systemDark(isDark(QGuiApplication::palette()))
    , m_palette(isDarkPreferred() ? Palette::darkTheme() : Palette::light())
    , m_fonts(Fonts::standard())
{}

bool Theme::isDark(const QPalette& palette)
{
    return palette.color(QPalette::WindowText).lightness() > palette.color(QPalette::Window).lightness();
}

bool Theme::isDarkPreferred() const
{
    return m_colourScheme == ColourScheme::dark || (m_colourScheme == ColourScheme::system && m_systemDark);
}

void Theme::setForPrint(bool on)
{
    if (std::exchange(m_forPrint, on) != on)
        emit forPrintChanged();
}

void Theme::onChange(QObject* receiver, const std::function<void()>& act) const
{
    for (const auto signal : {&Theme::changed, &Theme::languageChanged})
        connect(this, signal, receiver, act);
}

void Theme::setWallClock(bool on)
{
    if (std::exchange(m_wallClock, on) != on)
        emit wallClockChanged();
}

void Theme::setColourScheme(ColourScheme colourScheme)
{
    if (std::exchange(m_colourScheme, colourScheme) != colourScheme)
        choosePalette();
}

void Theme::setSystemDark(bool dark)
{
    if (std::exchange(m_systemDark, dark) != dark && m_colourScheme == ColourScheme::system)
        choosePalette();
}

void Theme::choosePalette()
{
    m_palette = isDarkPreferred() ? Palette::darkTheme() : Palette::light();
    emit changed();
}

QPalette Theme::widgetPalette() const
{
    const Palette& p = m_palette;
    QPalette q;
    q.setColor(QPalette::Window, p.window);
    q.setColor(QPalette::WindowText, p.text);
    q.setColor(QPalette::Base, p.card);
    q.setColor(QPalette::AlternateBase, p.panel);
    q.setColor(QPalette::ToolTipBase, p.card);
    q.setColor(QPalette::ToolTipText, p.text);
    q.setColor(QPalette::PlaceholderText, p.textFaint);
    q.setColor(QPalette::Text, p.text);
    q.setColor(QPalette::Button, p.card);
    q.setColor(QPalette::ButtonText, p.text);
    q.setColor(QPalette::BrightText, p.stale);
    q.setColor(QPalette::Link, p.frozenText);
    q.setColor(QPalette::Highlight, p.selection);
    q.setColor(QPalette::HighlightedText, p.selectionText);
    q.setColor(QPalette::Light, p.card);
    q.setColor(QPalette::Midlight, p.panel);
    q.setColor(QPalette::Mid, p.cardBorder);
    q.setColor(QPalette::Dark, p.textFaint);
    q.setColor(QPalette::Shadow, p.text);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        q.setColor(QPalette::Disabled, role, p.textFaint);
    return q;
}

QString Theme::styleSheet() const
{
    const Palette& p = m_palette;
    // A name that begins with another one comes before it.
    const std::pair<const char*, QColor> names[] = {
        {"@window", p.window},
        {"@cardBorder", p.cardBorder},
        {"@card", p.card},
        {"@header", p.header},
        {"@textFaint", p.textFaint},
        {"@textMuted", p.textMuted},
        {"@text", p.text},
        {"@grid", p.grid},
        {"@selectionText", p.selectionText},
        {"@selection", p.selection},
        {"@panel", p.panel},
        {"@pill", p.pill},
        {"@accent", p.accent},
        {"@onAccent", p.dark ? p.onPrimary : QColor(Qt::white)},
        {"@primary", p.primary},
        {"@onPrimary", p.onPrimary},
        {"@danger", p.danger},
        {"@onDanger", p.onDanger},
    };
    QString sheet = QString::fromLatin1(kStyleSheet);
    for (const auto& [name, colour] : names)
        sheet.replace(QLatin1String(name), colour.name());
    return sheet;
}

} // namespace lockscope::ui

#include "moc_theme.cpp"
