#include "core/base/utf8.h"

namespace lockscope {

namespace {

unsigned unsignedByte(std::string_view text, std::size_t index)
{
    return static_cast<unsigned char>(text[index]);
}

} // namespace

Utf8Character firstCharacter(std::string_view text)
{
    const unsigned first = unsignedByte(text, 0);
    if (first < 0x80)
        return {first, 1};
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length)
        return {};
    char32_t code = first & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((unsignedByte(text, i) & 0xc0) != 0x80)
            return {};
        code = (code << 6) | (unsignedByte(text, i) & 0x3f);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return overlong || surrogate || code > 0x10ffff ? Utf8Character() : Utf8Character{code, length};
}

} // namespace lockscope
