#include "ui/models/style/palette.h"

#include <QFontDatabase>
#include <QGuiApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockscope::ui {

namespace {

QColor rgb(unsigned value) { return QColor::fromRgb(value | 0xff000000U); }

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& colour)
{
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
}

QColor mix(const QColor& a, const QColor& b, double share)
{
    const auto channel = [share](double from, double to) {
        return static_cast<float>(from + (to - from) * share);
    };
    return QColor::fromRgbF(channel(a.redF(), b.redF()), channel(a.greenF(), b.greenF()),
                            channel(a.blueF(), b.blueF()));
}

// Okabe and Ito, "Color Universal Design", with a violet in place of black and yellow, which vanish on one of
// the two backgrounds.
constexpr std::array<unsigned, 8> kClients = {0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7,
                                              0x56b4e9, 0xd55e00, 0x8c6bb1, 0x7f8c1f};

QFont sized(QFont font, qreal points, QFont::Weight weight = QFont::Normal)
{
    font.setPointSizeF(points);
    font.setWeight(weight);
    return font;
}

} // namespace

QColor withAlpha(QColor colour, int alpha)
{
    colour.setAlpha(alpha);
    return colour;
}

double contrast(const QColor& a, const QColor& b)
{
    const double x = luminance(a);
    const double y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

// The eight colors, then the same with more contrast, so that a dot stands out on its card.
QColor Palette::client(std::uint16_t index) const
{
    const QColor base = rgb(kClients[index % kClients.size()]);
    const std::size_t round = (index / kClients.size()) % 3;
    const std::array<double, 3> away = dark ? std::array{0.0, 0.35, 0.6} : std::array{0.0, 0.28, 0.5};
    return mix(base, dark ? rgb(0xffffff) : rgb(0x000000), away[round]);
}

QColor Palette::clientText(std::uint16_t index) const
{
    QColor colour = client(index);
    const QColor towards = dark ? rgb(0xffffff) : rgb(0x000000);
    for (int step = 0; step < 12 && contrast(colour, card) < 4.5; ++step)
        colour = mix(colour, towards, 0.1);
    return colour;
}

Palette Palette::light()
{
    Palette p;
    p.window = rgb(0xf5f6f8);
    p.card = rgb(0xffffff);
    p.cardBorder = rgb(0xe4e8ed);
    p.header = rgb(0xffffff);
    p.text = rgb(0x18202b);
    p.textMuted = rgb(0x68748a);
    p.textFaint = rgb(0x8f99a9);
    p.grid = rgb(0xebeef2);
    p.selection = rgb(0xeaf1ff);
    p.selectionText = rgb(0x18202b);
    p.panel = rgb(0xf0f2f5);
    p.pill = rgb(0xeef1f5);
    p.accent = rgb(0x3d7dff);
    p.link = rgb(0x2560d8);
    p.holds = rgb(0x1b8a5a);
    p.holdsSoft = rgb(0x5aab88);
    p.holdsPale = rgb(0xbfe5d3);
    p.releasing = rgb(0x9dcdb8);
    p.onHolds = rgb(0xffffff);
    p.onHoldsSoft = rgb(0x08170f);
    p.holdsText = rgb(0x15784d);
    p.waits = rgb(0xd9961a);
    p.waitsSoft = rgb(0xeac581);
    p.onWaits = rgb(0x2b1d00);
    p.waitsText = rgb(0x9d6700);
    p.wake = rgb(0x7b57f5);
    p.frozen = rgb(0x3d7dff);
    p.frozenSoft = rgb(0xcedeff);
    p.frozenText = rgb(0x2560d8);
    p.stale = rgb(0xcf3f3f);
    p.staleSoft = rgb(0xf3cfcf);
    p.staleText = rgb(0xbb2f2f);
    p.primary = rgb(0x18202b);
    p.onPrimary = rgb(0xffffff);
    p.danger = rgb(0xcf3f3f);
    p.onDanger = rgb(0xffffff);
    return p;
}

Palette Palette::darkTheme()
{
    Palette p;
    p.window = rgb(0x12161c);
    p.card = rgb(0x1a2029);
    p.cardBorder = rgb(0x2a323f);
    p.header = rgb(0x1a2029);
    p.text = rgb(0xe6eaf0);
    p.textMuted = rgb(0x97a3b6);
    p.textFaint = rgb(0x6e7887);
    p.grid = rgb(0x232b36);
    p.selection = rgb(0x22324f);
    p.selectionText = rgb(0xe6eaf0);
    p.panel = rgb(0x202834);
    p.pill = rgb(0x252e3b);
    p.accent = rgb(0x6a9bff);
    p.link = rgb(0x7aa6ff);
    p.holds = rgb(0x38b87c);
    p.holdsSoft = rgb(0x6fcca0);
    p.holdsPale = rgb(0xc4f0dc);
    p.releasing = rgb(0x27614d);
    p.onHolds = rgb(0x08170f);
    p.onHoldsSoft = rgb(0x08170f);
    p.holdsText = rgb(0x45c489);
    p.waits = rgb(0xe8b04a);
    p.waitsSoft = rgb(0x8b6f3b);
    p.onWaits = rgb(0x1f1500);
    p.waitsText = rgb(0xe8b04a);
    p.wake = rgb(0xa08bff);
    p.frozen = rgb(0x6a9bff);
    p.frozenSoft = rgb(0x2e3f5f);
    p.frozenText = rgb(0x7aa6ff);
    p.stale = rgb(0xf06a6a);
    p.staleSoft = rgb(0x4f333a);
    p.staleText = rgb(0xf27878);
    p.primary = rgb(0xe6eaf0);
    p.onPrimary = rgb(0x12161c);
    p.danger = rgb(0xf06a6a);
    p.onDanger = rgb(0x1d0808);
    p.dark = true;
    return p;
}

Fonts Fonts::standard(qreal scale)
{
    QFont sans = QGuiApplication::font();
    if (QFontDatabase::families().contains(QStringLiteral("Inter")))
        sans.setFamilies({QStringLiteral("Inter"), sans.family(), QStringLiteral("Noto Sans CJK SC")});
    sans.setHintingPreference(QFont::PreferNoHinting);
    sans.setStyleStrategy(QFont::PreferNoShaping);
    QFont mono(QStringList{QStringLiteral("DejaVu Sans Mono"), QStringLiteral("Noto Sans Mono CJK SC"),
                           QStringLiteral("monospace")});
    mono.setStyleHint(QFont::Monospace);
    mono.setFixedPitch(true);
    mono.setStyleStrategy(QFont::PreferNoShaping);

    Fonts fonts;
    fonts.text = sized(sans, 9.75 * scale);
    fonts.small = sized(sans, 9.0 * scale);
    fonts.title = sized(sans, 9.75 * scale, QFont::DemiBold);
    fonts.heading = sized(sans, 12.5 * scale, QFont::Bold);
    fonts.number = sized(sans, 17.5 * scale, QFont::Bold);
    fonts.mono = sized(mono, 9.0 * scale);
    fonts.monoSmall = sized(mono, 8.25 * scale);
    return fonts;
}

Fonts Fonts::scaled(qreal factor) const
{
    Fonts fonts = *this;
    for (QFont* font : {&fonts.text, &fonts.small, &fonts.title, &fonts.heading, &fonts.number, &fonts.mono,
                        &fonts.monoSmall})
        font->setPointSizeF(font->pointSizeF() * factor);
    return fonts;
}

QFont strongFont(QFont font)
{
    font.setWeight(QFont::DemiBold);
    return font;
}

} // namespace lockscope::ui
