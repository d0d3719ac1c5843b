// The techniques of the alpha-beta search. Each can be switched off, to measure what it gains.
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
    bool exact_results = true;  // solved positions of the game's knowledge
    bool all_moves = false;     // search all legal moves at every node, not only candidates
    int draw_score = -20;       // a draw's score for the player who searches
};

}  // namespace plyground
