// The C completion and watch functions: each finds its Call or WatchRecord and passes the answer to the
// session. They run inside the library, so they only copy and post, except that lists of children are visited
// at once. Exceptions of visitors go to the hub and never pass through the library.
#pragma once

#include "core/zk/c_client/handle.h"

namespace lockscope::zk::c_client {

void onSessionEvent(zhandle_t* zh, int type, int state, const char* path, void* context);
void onWatch(zhandle_t* zh, int type, int state, const char* path, void* context);
void onCreated(int rc, const char* value, const struct ::Stat* stat, const void* data);
void onVoid(int rc, const void* data);
void onSynced(int rc, const char* value, const void* data);
void onData(int rc, const char* value, int length, const struct ::Stat* stat, const void* data);
void onStat(int rc, const struct ::Stat* stat, const void* data);
void onTransaction(int rc, const void* data);
void onChildren(int rc, const struct ::String_vector* names, const struct ::Stat* stat, const void* data);

} // namespace lockscope::zk::c_client
