// What every view relies on: one formatter, one palette, one selection, one window of time.
#include "ui/models/run/selection.h"
#include "ui/models/run/time_window.h"
#include "ui/models/style/format.h"
#include "ui/models/style/text_cache.h"
#include "ui/texts/client_status.h"

#include <QDateTime>
#include <QImage>
#include <QPainter>

#include <gtest/gtest.h>

using namespace lockscope;
using namespace lockscope::ui;
using namespace std::chrono_literals;

namespace {

std::string text(const QString& value) { return value.toStdString(); }

TEST(Format, DurationsHaveAtMostThreeDigits)
{
    EXPECT_EQ(text(format::duration(0ns)), "0 ms");
    EXPECT_EQ(text(format::duration(420ns)), "420 ns");
    EXPECT_EQ(text(format::duration(4200ns)), "4.2 µs");
    EXPECT_EQ(text(format::duration(12us)), "0.01 ms");
    EXPECT_EQ(text(format::duration(240us)), "0.24 ms");
    EXPECT_EQ(text(format::duration(9996us)), "10.0 ms");
    EXPECT_EQ(text(format::duration(11200us)), "11.2 ms");
    EXPECT_EQ(text(format::duration(112ms)), "112 ms");
    EXPECT_EQ(text(format::duration(999600us)), "1.0 s");
    EXPECT_EQ(text(format::duration(1200ms)), "1.2 s");
    EXPECT_EQ(text(format::duration(184s)), "3 min 4 s");
    EXPECT_EQ(text(format::duration(2h + 5min)), "2 h 5 min");
    EXPECT_EQ(text(format::duration(-3ms)), "−3.00 ms");
    EXPECT_EQ(text(format::duration(kForever)), "no limit");
    EXPECT_FALSE(format::duration(Duration::min()).isEmpty());
}

TEST(Format, AxisLabelsTakeTheirUnitFromTheStep)
{
    EXPECT_EQ(text(format::axisTime(100ms, 100ms)), "100 ms");
    EXPECT_EQ(text(format::axisTime(2s, 1s)), "2 s");
    EXPECT_EQ(text(format::axisTime(12300ms, 100ms)), "12.3 s");
    EXPECT_EQ(text(format::axisTime(150us, 50us)), "150 µs");
    EXPECT_EQ(text(format::axisTime(5600ms, 200ms)), "5.6 s") << "the unit of all other moments";
    EXPECT_EQ(text(format::axisTime(1006310us, 10us)), "1.006 310 s") << "whole groups";
}

TEST(Format, TimesAreFormattedAsWallClockTimeToo)
{
    // 14:03:20.5 on some day, whatever the time zone of this machine is.
    const QDateTime day(QDate(2026, 3, 4), QTime(14, 3, 20, 500));
    const format::WallTime zero(std::chrono::milliseconds(day.toMSecsSinceEpoch()));
    EXPECT_EQ(text(format::wallTime(0ns, zero)), "14:03:20.500 000");
    EXPECT_EQ(text(format::wallTime(1506312us, zero)), "14:03:22.006 312");
    EXPECT_EQ(text(format::axisWallTime(1500ms, 1s, zero)), "14:03:22");
    EXPECT_EQ(text(format::axisWallTime(1600ms, 100ms, zero)), "14:03:22.1");
    EXPECT_EQ(text(format::axisWallTime(1500010us, 10us, zero)), "14:03:22.000 010");
    EXPECT_EQ(text(format::wallMoment(1506312us, zero)), "2026-03-04 14:03:22.006 312");
    EXPECT_EQ(text(format::momentTip(1506312us, zero)), "1.506 312 s\n2026-03-04 14:03:22.006 312");
    EXPECT_EQ(format::momentTip(1506312us, {}).count('\n'), 1) << "says that it is not known";
}

TEST(Format, IdsAreShortAndExact)
{
    const std::string_view node = "_c_258cf713-aaaa-bbbb-cccc-0123456789ab-lock-0000000185";
    EXPECT_EQ(text(format::sequenceNumber(node)), "185");
    EXPECT_EQ(text(format::sequenceShort(node)), "…0185");
    EXPECT_EQ(text(format::nodeShort(node)), "_c_258cf713…-lock-");
    EXPECT_EQ(text(format::sequenceShort("lock-0000123456")), "…123456");
    EXPECT_EQ(text(format::sequenceNumber("config")), "config");
    EXPECT_EQ(text(format::zxid(Zxid{0x1f3})), "0x1f3");
    EXPECT_EQ(text(format::zxid(Zxid::none())), "–");
    EXPECT_EQ(text(format::sessionShort(SessionId{0x1000000a1})), "0x…00a1");
    EXPECT_EQ(text(format::sessionShort(SessionId{0x1000001a1})), "0x…01a1")
        << "one of a thousand, like no other";
    EXPECT_EQ(text(format::sessionShort(SessionId{3})), "0x…03");
    EXPECT_EQ(text(format::sessionShort(SessionId{0x7fee100000001}, 6)), "0x…000001");
    EXPECT_EQ(text(format::session(SessionId{-2})), "0xfffffffffffffffe");
    EXPECT_EQ(text(format::timestamp(1006312us)), "1.006 312");
    EXPECT_EQ(text(format::count(18204)), "18,204");
    EXPECT_EQ(text(format::percent(0.5)), "50 %");
}

TEST(Format, OutsideTextIsMadeVisibleAndCapped)
{
    EXPECT_EQ(text(format::plain("a\nb\x1b[31m")), "a␊b␛[31m");
    EXPECT_EQ(text(format::plain("x\u202Ey")), "x‹U+202E›y");
    EXPECT_EQ(text(format::plain("x\U000E0100y")), "x‹U+E0100›y") << "what a file escapes is shown, too";
    EXPECT_EQ(text(format::plain("<b>bold</b>")), "<b>bold</b>");
    EXPECT_EQ(format::plain(std::string(10'000, 'a'), 20).size(), 20);
    EXPECT_TRUE(format::plain(std::string(10'000, 'a'), 20).endsWith(u'…'));
    EXPECT_EQ(text(format::plain("\xff")), "\uFFFD");
    const QString emoji = format::plain("😀😀😀😀😀😀", 6);
    EXPECT_LE(emoji.size(), 6);
    EXPECT_FALSE(emoji.at(emoji.size() - 2).isHighSurrogate());
    EXPECT_EQ(text(format::plain("exactly ten", 11)), "exactly ten");
}

TEST(Palette, EveryTextCanBeReadOnWhatItIsWrittenOn)
{
    for (const Palette& p : {Palette::light(), Palette::darkTheme()}) {
        EXPECT_GE(contrast(p.text, p.card), 7.0);
        EXPECT_GE(contrast(p.textMuted, p.card), 4.5);
        EXPECT_GE(contrast(p.selectionText, p.selection), 7.0);
        for (const QColor& colour : {p.holdsText, p.waitsText, p.frozenText, p.staleText})
            EXPECT_GE(contrast(colour, p.pill), 4.2) << colour.name().toStdString();
        EXPECT_GE(contrast(p.onHolds, p.holds), 4.2);
        EXPECT_GE(contrast(p.onHoldsSoft, p.holdsSoft), 4.5);
        EXPECT_GE(contrast(p.onHoldsSoft, p.holdsPale), 4.5);
        EXPECT_GE(contrast(p.onWaits, p.waits), 4.5);
        EXPECT_GE(contrast(p.onPrimary, p.primary), 4.5);
        EXPECT_GE(contrast(p.onDanger, p.danger), 4.5);
        for (std::uint16_t i = 0; i < 24; ++i)
            EXPECT_GE(contrast(p.clientText(i), p.card), 4.5) << i;
        for (std::uint16_t i = 0; i < 24; ++i)
            EXPECT_GE(contrast(p.client(i), p.card), p.dark ? 3.0 : 2.2) << i << ": a dot";
    }
}

// Before the first client joins there is nothing to be seen.
TEST(TimeWindow, GoesToTheFirstClientAndBeforeItOnlyWhenAsked)
{
    TimeWindow window;
    window.setTraceBegin(2s);
    window.setTraceEnd(10s);
    window.setDefaultLength(2s);
    window.centre(2s);
    EXPECT_EQ(window.begin(), 2s);
    window.centre(500ms);
    EXPECT_EQ(window.begin(), 500ms);
    window.showAll();
    EXPECT_EQ(window.begin(), 2s);
    EXPECT_EQ(window.end(), 10s);
    window.pan(-3s);
    EXPECT_EQ(window.begin(), 0s);
}

// Each was shaped once to be measured, and again for each width of its box.
TEST(TextCache, ShapesATextThatFitsOnceForBoxesOfAnyWidth)
{
    TextCache texts;
    QImage image(400, 40, QImage::Format_RGB32);
    QPainter painter(&image);
    const double width = texts.width(painter.font(), "waited 12.4 ms");
    for (const double more : {0.0, 10.0, 200.0})
        texts.draw(painter, {0, 0, width + more, 30}, Qt::AlignCenter, "waited 12.4 ms");
    EXPECT_EQ(texts.shaped(), 1u);
    texts.draw(painter, {0, 0, width / 2, 30}, Qt::AlignCenter, "waited 12.4 ms");
    EXPECT_EQ(texts.shaped(), 2u) << "elided";
}

TEST(ClientPhrase, WhoIsSilentSaysWhenItsSessionExpires)
{
    replay::ClientRow client;
    client.frozen = true;
    EXPECT_EQ(text(clientDetail(client, 5s, 4s).text), "no heartbeat for 1.0 s")
        << "the timeout is not known";
    client.sessionTimeout = 4200ms;
    EXPECT_EQ(text(clientDetail(client, 5s, 4s).text), "no heartbeat · expires in 3.2 s");
    EXPECT_EQ(text(clientDetail(client, 9s, 4s).text), "no heartbeat · expires now");
    client.frozen = false;
    client.session = trace::SessionPhase::suspended;
    EXPECT_EQ(text(clientDetail(client, 5s, 4s).text), "no answer · expires in 3.2 s");

    replay::ClientRow connecting;
    EXPECT_EQ(text(clientDetail(connecting, 5s, {}).text), "no session yet");
    connecting.acquired = 3;
    EXPECT_EQ(text(clientDetail(connecting, 5s, {}).text), "no new session yet");
}

} // namespace
