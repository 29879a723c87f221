// A text for people, kept as data until it is shown: an English sentence with the placeholders %1 to %9, and
// the arguments that replace them. english() combines them; a text in another language combines the
// translated sentence with the same arguments (ui/texts/core_messages.h). Plain values; any thread.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope {

// A message whose bytes belong to another object, such as an event in a trace store.
class MessageView
{
public:
    MessageView() = default;
    // `encoded` is a result of Message::encoded().
    explicit MessageView(std::string_view encoded)
        : m_encoded(encoded)
    {}
    MessageView(const char* plain)
        : m_encoded(plain)
    {}

    bool empty() const { return m_encoded.empty(); }
    // The sentence with its placeholders; for a plain text, the text.
    std::string_view source() const;
    // False for a plain text, such as a name or the output of another program, which is the same in every
    // language.
    bool isSentence() const { return m_encoded.starts_with('\x1e'); }
    std::vector<MessageView> arguments() const;
    std::string english() const;
    std::string_view encoded() const { return m_encoded; }

    friend bool operator==(MessageView a, MessageView b) { return a.m_encoded == b.m_encoded; }
    friend bool operator==(MessageView a, std::string_view english) { return a.english() == english; }
    friend bool operator==(MessageView a, const char* english) { return a.english() == english; }
    friend bool operator==(MessageView a, const std::string& english) { return a.english() == english; }

private:
    std::string_view m_encoded;
};

class Message
{
public:
    Message() = default;
    // A plain text.
    Message(std::string text); // NOLINT(google-explicit-constructor)
    Message(std::string_view text)
        : Message(std::string(text))
    {}
    Message(const char* text)
        : Message(std::string(text))
    {}
    // Copies the bytes of the view.
    explicit Message(MessageView view)
        : m_encoded(view.encoded())
    {}
    // For message(), and for code that reads messages back.
    static Message sentence(std::string_view source, std::span<const Message> arguments);

    bool empty() const { return m_encoded.empty(); }
    std::string english() const { return view().english(); }
    MessageView view() const { return MessageView(m_encoded); }
    operator MessageView() const { return view(); }
    // The whole message as one string, for MessageView; for a plain text, the text.
    const std::string& encoded() const { return m_encoded; }

    friend bool operator==(const Message& a, const Message& b) { return a.m_encoded == b.m_encoded; }
    friend bool operator==(const Message& a, std::string_view english) { return a.english() == english; }
    friend bool operator==(const Message& a, const char* english) { return a.english() == english; }
    friend bool operator==(const Message& a, const std::string& english) { return a.english() == english; }

private:
    std::string m_encoded;
};

// message("The lock path \"%1\" is too long.", path): the sentence is a literal, so that it is found for
// translation (resources/translations/update). An argument is a text, a number or another message.
template <class... Arguments>
Message message(const char* source, Arguments&&... arguments)
{
    [[maybe_unused]] const auto one = []<class T>(T&& argument) -> Message {
        if constexpr (std::integral<std::remove_cvref_t<T>>)
            return Message(std::to_string(argument));
        else
            return Message(std::forward<T>(argument));
    };
    const std::array<Message, sizeof...(Arguments)> all{one(std::forward<Arguments>(arguments))...};
    return Message::sentence(source, all);
}

// The two sentences with a space between them; an empty sentence is left out.
Message joined(const Message& first, const Message& second);
// "a, b, c".
Message listed(const std::vector<Message>& items);

std::ostream& operator<<(std::ostream& out, const Message& message);
std::ostream& operator<<(std::ostream& out, MessageView message);

} // namespace lockscope
