// SPDX-License-Identifier: MIT

// The licence of a program for C++11: a class around license_manager.h. sdk/README.md says what every SDK does.
#ifndef LICENSE_MANAGER_HPP
#define LICENSE_MANAGER_HPP

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "license_manager.h"

namespace license_manager {

// A public key, a constant of the program.
struct Key {
  std::string kid, x, y;
};

// What is empty has its default.
struct Options {
  std::string server, software, store;
  std::vector<Key> keys;
  std::string file, machine_id, machine_name, instance, app_version, released_on;
  int timeout = 5;
};

// May be used by several threads. Neither its end nor that of the program gives the seat back.
class License {
 public:
  // Throws std::invalid_argument for a wrong option.
  explicit License(const Options &options) : handle_(lm_open(json(options).c_str())) {
    if (handle_ == 0) throw std::invalid_argument(take(lm_error()));
  }
  ~License() { lm_close(handle_); }
  License(const License &) = delete;
  License &operator=(const License &) = delete;

  // Whether the program may run. It waits for the server, twice the timeout at most.
  bool check(const std::string &key) {
    take(lm_check(handle_, key.c_str()));
    return ok();
  }
  // Checks in the background until stop; ok, get and message say what was found last: at once what is kept.
  void start(const std::string &key) { lm_start(handle_, key.c_str()); }
  void stop() { lm_stop(handle_); }
  // Whether the first check of start is under way.
  bool pending() const { return get("pending") == "true"; }

  bool ok() const { return get("ok") == "true"; }
  // A field of the last result, such as reason, daysLeft or features.usuarios; empty where there is none.
  std::string get(const std::string &name) const { return take(lm_get(handle_, name.c_str())); }
  bool has(const std::string &code) const { return lm_has(handle_, code.c_str()) == 1; }
  // The text for the program's user, in es or en; empty where all is well.
  std::string message(const std::string &language) const { return get("message." + language); }
  std::string machine_id() const { return get("machineId"); }
  // Gives the seat back. Where that is false, get("releaseReason") says why.
  bool release(const std::string &key) { return lm_release(handle_, key.c_str()) == 1; }
  // An address of the portal for the browser. Where it is empty, get("portalReason") says why.
  std::string portal_url(const std::string &key) { return take(lm_portal_url(handle_, key.c_str())); }
  // Notes what was used, for a meter of the licence; checks send it, and it counts once. Whether it is kept: not where less is
  // left, of a meter that refuses what is beyond.
  bool use(const std::string &code, int amount = 1) { return lm_use(handle_, code.c_str(), amount) == 1; }
  // Asks the server to count it now, with the key that was checked last. True only where it did.
  bool consume(const std::string &code, int amount = 1) { return lm_consume(handle_, code.c_str(), amount) == 1; }
  // What is left of a meter, also without connection; empty without a limit, and where nothing is kept.
  std::string remaining(const std::string &code) const { return get("remaining." + code); }
  // The key of the trial of this computer. Where it is empty, get("trialReason") says why.
  std::string start_trial(const std::string &email = "", const std::string &name = "") {
    return take(lm_start_trial(handle_, email.c_str(), name.c_str()));
  }

 private:
  static std::string take(char *text) {
    std::string copy(text);
    lm_free(text);
    return copy;
  }

  static std::string quoted(const std::string &text) {
    std::string all = "\"";
    for (unsigned char sign : text) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", sign);
      if (sign == '"' || sign == '\\' || sign < 32) all += escape;
      else all += static_cast<char>(sign);
    }
    return all + '"';
  }

  static std::string json(const Options &o) {
    std::string keys;
    for (const Key &key : o.keys) {
      keys += keys.empty() ? "" : ",";
      keys += "{\"kid\":" + quoted(key.kid) + ",\"x\":" + quoted(key.x) + ",\"y\":" + quoted(key.y) + "}";
    }
    return "{\"server\":" + quoted(o.server) + ",\"software\":" + quoted(o.software) + ",\"store\":" + quoted(o.store) +
           ",\"file\":" + quoted(o.file) + ",\"machineId\":" + quoted(o.machine_id) + ",\"machineName\":" +
           quoted(o.machine_name) + ",\"instance\":" + quoted(o.instance) + ",\"appVersion\":" + quoted(o.app_version) +
           ",\"releasedOn\":" + quoted(o.released_on) + ",\"timeout\":" + std::to_string(o.timeout) + ",\"keys\":[" + keys + "]}";
  }

  int handle_;
};

}  // namespace license_manager
#endif
