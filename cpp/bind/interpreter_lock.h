// The interpreter lock around long work of the core, also while the interpreter ends.
//
// A daemon thread that asks for the lock of an interpreter that has ended is terminated, and its
// C++ frames with it, which aborts the process. So searches are stopped first: `end_searches` runs
// before the interpreter ends. Each search ends at its next poll, and its thread then sleeps
// without the lock until the process exits.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace plyground {

// Thrown by a poll that cannot return false.
struct InterpreterEnds {};

struct InterpreterEnd {
    static inline std::atomic<bool> has_begun{false};
    static inline std::atomic<int> running{0};  // threads in the core without the lock
    static inline std::thread::id ending_thread;

    // Whether this thread must not use the interpreter again.
    static bool stops_this_thread() {
        return has_begun && std::this_thread::get_id() != ending_thread;
    }
    [[noreturn]] static void sleep_for_ever() {
        while (true)
            std::this_thread::sleep_for(std::chrono::hours(1));
    }
};

// Releases the interpreter lock in its scope.
class InterpreterRelease {
  public:
    InterpreterRelease() {
        ++InterpreterEnd::running;
        state_ = PyEval_SaveThread();
        sleep_at_end();
    }
    ~InterpreterRelease() {
        sleep_at_end();
        PyEval_RestoreThread(state_);
        --InterpreterEnd::running;
    }
    InterpreterRelease(const InterpreterRelease&) = delete;
    InterpreterRelease& operator=(const InterpreterRelease&) = delete;

  private:
    static void sleep_at_end() {
        if (!InterpreterEnd::stops_this_thread()) return;
        --InterpreterEnd::running;
        InterpreterEnd::sleep_for_ever();
    }

    PyThreadState* state_;
};

// Stops all searches on other threads and waits for them, at most a few seconds.
inline void end_searches() {
    using Clock = std::chrono::steady_clock;
    constexpr auto kLongest = std::chrono::seconds(5);
    InterpreterEnd::ending_thread = std::this_thread::get_id();
    InterpreterEnd::has_begun = true;
    const nanobind::gil_scoped_release release;
    const auto started = Clock::now();
    while (InterpreterEnd::running > 0 && Clock::now() - started < kLongest)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace plyground
