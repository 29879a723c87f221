// lockscope-pages FOLDER: part of the build; writes the man pages and the completions into the folder.
#include "app/pages/write_pages.h"

#include <cstdio>

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fputs("lockscope-pages: needs one argument, the folder to write into.\n", stderr);
        return 2;
    }
    const auto written = lockscope::app::writePages(argv[1]);
    if (!written)
        std::fprintf(stderr, "lockscope-pages: %s\n", written.error().text().c_str());
    return written ? 0 : 4;
}
