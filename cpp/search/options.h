// The parts of the alpha-beta search, each of which can be switched off to see what it is worth.
#pragma once

namespace plyground {

struct SearchOptions {
    bool table = true;
    bool killers = true;
    bool history = true;
    bool counter_moves = true;
    bool reductions = true;
    bool null_move = true;
    bool futility = true;
    bool probcut = true;
    bool aspiration = true;
    bool quiescence = true;
    bool exact_results = true;  // solved races and endgames
    bool all_moves = false;     // no selection of candidates away from the root
    int draw_score = -20;       // what a draw is worth to the player who searches
};

}  // namespace plyground
