// Which settings each page of the form shows, with their labels and hints: a setting of the core's table has
// its row here. GUI thread.
#pragma once

namespace lockscope::ui {

class Form;

void addDescriptionRows(Form& form);
void addArrivalRows(Form& form);
void addLockRows(Form& form);
void addRunRows(Form& form);
// The workload of all clients, or of one client, which has that of all where it says nothing.
enum class WorkOf { allClients, oneClient };
void addWorkRows(Form& form, WorkOf owner);

} // namespace lockscope::ui
