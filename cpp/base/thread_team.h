// Threads that are joined when their scope is left, also by an exception.
#pragma once

#include <functional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"

namespace plyground {

class ThreadTeam {
  public:
    // `dismiss` makes all threads end; it is called once, before they are joined.
    explicit ThreadTeam(std::function<void()> dismiss) : dismiss_(std::move(dismiss)) {}
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;
    ~ThreadTeam() { join(); }

    // Throws ConfigError if the system allows no further thread.
    template <class Work>
    void start(Work&& work) {
        try {
            threads_.emplace_back(std::forward<Work>(work));
        } catch (const std::system_error& error) {
            throw ConfigError("cannot start a further thread beside " +
                              std::to_string(threads_.size() + 1) + ": " + error.what());
        }
    }

    int size() const { return static_cast<int>(threads_.size()); }

    void join() {
        if (dismiss_) std::exchange(dismiss_, nullptr)();
        for (std::thread& thread : threads_)
            thread.join();
        threads_.clear();
    }

  private:
    std::function<void()> dismiss_;
    std::vector<std::thread> threads_;
};

}  // namespace plyground
