// Animated GIFs, read again by the library's decoder: every picture as it was put in, or as near as 256
// colours come.
#include "ui/shell/export/gif_file.h"

#include "tests/ui/export/gif_reader.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace lockscope::ui {
namespace {

QImage plain(QSize size, QRgb colour)
{
    QImage image(size, QImage::Format_RGB32);
    image.fill(colour);
    return image;
}

QImage withBox(QImage image, const QRect& box, QRgb colour)
{
    for (int y = box.top(); y <= box.bottom(); ++y)
        for (int x = box.left(); x <= box.right(); ++x)
            image.setPixel(x, y, colour);
    return image;
}

// `colours` different ones, side by side.
QImage manyColours(int colours, int blue = 0)
{
    QImage image(64, 128, QImage::Format_RGB32);
    for (int i = 0; i < image.width() * image.height(); ++i) {
        const int n = i % colours;
        image.setPixel(i % image.width(), i / image.width(), qRgb(n % 64 * 4, n / 64 * 2, blue));
    }
    return image;
}

struct GifTest : testing::Test
{
    void make(const QList<QImage>& pictures, int perSecond = 10)
    {
        GifFile gif(path, perSecond);
        for (const QImage& each : pictures)
            ASSERT_TRUE(gif.add(each));
        ASSERT_TRUE(gif.finish());
    }
    QByteArray bytes() const
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QStringList files() const { return QDir(folder.path()).entryList(QDir::Files | QDir::Hidden); }

    QTemporaryDir folder;
    QString path = folder.filePath("film.gif");
};

TEST_F(GifTest, HoldsEveryPictureAsItWas)
{
    const QImage first = plain({90, 40}, qRgb(250, 250, 250));
    const QImage second = withBox(first, {10, 5, 20, 10}, qRgb(0, 158, 115));
    const QImage third = withBox(second, {70, 30, 3, 3}, qRgb(0, 114, 178));
    make({first, second, second, third});
    const ReadGif gif = readGif(path);
    ASSERT_EQ(gif.frames.size(), 3U) << "what stays as it is, is one picture that stays longer";
    EXPECT_EQ(gif.size, QSize(90, 40));
    EXPECT_EQ(gif.loops, 0) << "for ever";
    EXPECT_EQ(gif.shownAt(0), first);
    EXPECT_EQ(gif.shownAt(10), second);
    EXPECT_EQ(gif.shownAt(20), second);
    EXPECT_EQ(gif.shownAt(30), third);
    EXPECT_EQ(gif.length(), 40) << "hundredths of a second";
    EXPECT_EQ(gif.frames[1].place, QRect(10, 5, 20, 10)) << "only what changed is written";
    EXPECT_EQ(gif.frames[2].place, QRect(70, 30, 3, 3));
}

TEST_F(GifTest, IsExactWithAsManyColoursAsThereAre)
{
    const QImage first = manyColours(256);
    const QImage second = withBox(first, {0, 0, 2, 2}, first.pixel(9, 0));
    const QImage third = manyColours(256, 7); // every colour is another one
    const QImage fourth = withBox(manyColours(256), {0, 0, 9, 9}, third.pixel(0, 0));
    make({first, second, third, fourth});
    const ReadGif gif = readGif(path);
    EXPECT_EQ(gif.shownAt(0), first);
    EXPECT_EQ(gif.shownAt(10), second);
    EXPECT_EQ(gif.shownAt(20), third);
    EXPECT_LE(maxChannelDifference(gif.shownAt(30), fourth), 8) << "257 colours";
}

TEST_F(GifTest, SameRunSameBytes)
{
    const QList<QImage> pictures{manyColours(4096), manyColours(4096, 3), manyColours(300)};
    make(pictures);
    const QByteArray once = bytes();
    make(pictures);
    EXPECT_EQ(bytes(), once);
    EXPECT_TRUE(once.startsWith("GIF89a"));
}

TEST_F(GifTest, KeepsThePaceWhereHundredthsDoNotFit)
{
    QList<QImage> pictures;
    for (int i = 0; i < 30; ++i)
        pictures << plain({8, 8}, qRgb(i, i, i));
    make(pictures, 30);
    const ReadGif gif = readGif(path);
    EXPECT_EQ(gif.frames.size(), 30U);
    EXPECT_EQ(gif.length(), 100) << "a second is a second";
    for (const ReadGif::Frame& frame : gif.frames)
        EXPECT_GE(frame.hundredths, 2) << "less is taken for none by players";
}

TEST_F(GifTest, UnfinishedLeavesWhatWasThere)
{
    {
        GifFile gif(path, 10);
        ASSERT_TRUE(gif.add(plain({8, 8}, 0)));
    }
    EXPECT_EQ(files(), QStringList());
    make({plain({8, 8}, 0)});
    const QByteArray before = bytes();
    {
        GifFile gif(path, 10);
        ASSERT_TRUE(gif.add(manyColours(300)));
        ASSERT_TRUE(gif.add(manyColours(299)));
    }
    EXPECT_EQ(bytes(), before);
    EXPECT_EQ(files(), QStringList{"film.gif"});
}

// A disk that takes no more: here a limit of the process, past which the system refuses to write.
TEST_F(GifTest, ADiskThatIsFullIsSaidAndLeavesNothingBehind)
{
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    auto* const signal = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small = before;
    small.rlim_cur = 20'000;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    Result<void> result;
    {
        GifFile gif(path, 10);
        for (int i = 0; i < 60 && result; ++i)
            result = gif.add(manyColours(4000, i * 4));
        if (result)
            result = gif.finish();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, signal);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::ioFailed);
    EXPECT_NE(result.error().message.english().find(std::strerror(EFBIG)), std::string::npos)
        << result.error().message.english();
    EXPECT_EQ(files(), QStringList()) << "half a film is none";
}

TEST_F(GifTest, SaysWhatIsWrong)
{
    GifFile nowhere(folder.filePath("no/such/film.gif"), 10);
    const Result<void> unwritten = nowhere.add(plain({8, 8}, 0));
    ASSERT_FALSE(unwritten);
    EXPECT_EQ(unwritten.error().code, ErrorCode::ioFailed);
    EXPECT_NE(unwritten.error().message.english().find("no/such/film.gif"), std::string::npos)
        << unwritten.error().message.english();
    GifFile gif(path, 10);
    ASSERT_TRUE(gif.add(plain({8, 8}, 0)));
    const Result<void> other = gif.add(plain({8, 9}, 0));
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, ErrorCode::badUsage);
}

} // namespace
} // namespace lockscope::ui
