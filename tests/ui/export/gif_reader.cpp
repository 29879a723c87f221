#include "tests/ui/export/gif_reader.h"

#include <QFile>

#include <gif_lib.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace lockscope::ui {

namespace {

int loopsOf(const SavedImage& image)
{
    for (int i = 0; i + 1 < image.ExtensionBlockCount; ++i) {
        const ExtensionBlock& name = image.ExtensionBlocks[i];
        const ExtensionBlock& count = image.ExtensionBlocks[i + 1];
        if (name.Function == APPLICATION_EXT_FUNC_CODE && name.ByteCount == 11 &&
            std::memcmp(name.Bytes, "NETSCAPE2.0", 11) == 0 && count.ByteCount == 3)
            return count.Bytes[1] + 256 * count.Bytes[2];
    }
    return -1;
}

void draw(QImage& canvas, const SavedImage& image, int clear)
{
    const GifImageDesc& at = image.ImageDesc;
    for (int y = 0; y < at.Height; ++y) {
        for (int x = 0; x < at.Width; ++x) {
            const int index = image.RasterBits[y * at.Width + x];
            if (index == clear)
                continue;
            const GifColorType& colour = at.ColorMap->Colors[index];
            canvas.setPixel(at.Left + x, at.Top + y, qRgb(colour.Red, colour.Green, colour.Blue));
        }
    }
}

} // namespace

int ReadGif::length() const
{
    int sum = 0;
    for (const Frame& frame : frames)
        sum += frame.hundredths;
    return sum;
}

QImage ReadGif::shownAt(int hundredths) const
{
    int end = 0;
    for (const Frame& frame : frames) {
        end += frame.hundredths;
        if (hundredths < end)
            return frame.canvas;
    }
    return frames.empty() ? QImage() : frames.back().canvas;
}

int maxChannelDifference(const QImage& a, const QImage& b)
{
    int most = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            for (const int shift : {0, 8, 16}) // of each channel in a pixel
                most = std::max(most, std::abs(static_cast<int>(a.pixel(x, y) >> shift & 0xff) -
                                               static_cast<int>(b.pixel(x, y) >> shift & 0xff)));
    return most;
}

ReadGif readGif(const QString& path)
{
    ReadGif read;
    int error = 0;
    GifFileType* gif = DGifOpenFileName(QFile::encodeName(path).constData(), &error);
    if (!gif)
        return read;
    if (DGifSlurp(gif) == GIF_OK) {
        read.size = QSize(gif->SWidth, gif->SHeight);
        QImage canvas(read.size, QImage::Format_RGB32);
        canvas.fill(Qt::magenta); // whatever the first picture leaves out
        for (int i = 0; i < gif->ImageCount; ++i) {
            const SavedImage& image = gif->SavedImages[i];
            GraphicsControlBlock control{};
            DGifSavedExtensionToGCB(gif, i, &control);
            draw(canvas, image, control.TransparentColor);
            const GifImageDesc& at = image.ImageDesc;
            read.frames.push_back({QRect(at.Left, at.Top, at.Width, at.Height), canvas, control.DelayTime});
            read.loops = i == 0 ? loopsOf(image) : read.loops;
        }
    }
    DGifCloseFile(gif, &error);
    return read;
}

} // namespace lockscope::ui
