// What the lock protects: keeps its own record of who uses it, and says loudly when two do at once. With fencing it
// refuses a token older than the newest it has seen. I/O thread.
#pragma once

#include "core/trace/recorder.h"

#include <map>

namespace lockscope::sim {

class Resource
{
public:
    Resource(trace::Recorder& recorder, LockId lock, bool fenced)
        : m_recorder(recorder), m_lock(lock), m_fenced(fenced)
    {
    }
    // False when the token was refused. `shared`: together with others that share, and fenced only against who does not.
    bool enter(ClientId client, Zxid token, bool shared);
    void leave(ClientId client);

private:
    void note(ClientId client, trace::ResourceAction action, Zxid token);
    trace::Recorder& m_recorder;
    LockId m_lock;
    bool m_fenced;
    struct Visit
    {
        Zxid token;
        bool shared = false;
    };
    bool outdated(Zxid token, bool shared) const;
    Zxid m_newest{0};
    Zxid m_newestAlone{0};
    std::map<ClientId, Visit> m_inside;
};

} // namespace lockscope::sim
