// An animated GIF, picture by picture: of each one only the rectangle that changed, and in that only the pixels that
// did. It plays for ever. What is not finished leaves no file, or the one that was there before. One thread.
#pragma once

#include <QImage>

#include "core/base/error.h"
#include "ui/models/atomic_file.h"

#include <cstdint>
#include <vector>

struct GifFileType;

namespace lockscope::ui {

class GifFile
{
public:
    static constexpr int kMaxPerSecond = 50; // players take a shorter time than 20 ms for none

    GifFile(const QString& path, int perSecond);
    ~GifFile(); // unfinished: nothing is left of it
    GifFile(const GifFile&) = delete;
    GifFile& operator=(const GifFile&) = delete;

    // Each is shown for the same time. badUsage when it is not as large as the first, ioFailed.
    Result<void> add(const QImage& picture);
    Result<void> finish();

private:
    struct Frame
    {
        QRect place;
        std::vector<QRgb> colours;
        std::vector<std::uint8_t> pixels;
        int clear = -1; // the index that leaves a pixel as it was; -1: there is none
        int begin = 0;  // hundredths of a second
    };
    bool begin(QSize size);
    Frame frameOf(const QImage& picture) const;
    bool write(const Frame& frame, int hundredths);
    bool writeControl(const Frame& frame, int hundredths);
    bool close();
    int startOf(int picture) const { return (100 * picture + m_perSecond / 2) / m_perSecond; }
    Error failure() const;

    AtomicFile m_file;
    int m_perSecond;
    GifFileType* m_gif = nullptr;
    QImage m_before;
    Frame m_pending;   // its time is known when the next one begins
    int m_pictures = 0;
};

} // namespace lockscope::ui
