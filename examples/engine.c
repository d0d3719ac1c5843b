/* The smallest engine in C, to copy and improve: docs/write-an-engine.md.

   It plays Quoridor without walls of its own: its pawn takes a shortest path.

   cc -O2 -o engine examples/engine.c && plyground check-engine ./engine */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int size, to_move, pawn[2][2];    /* pawn[player][0] is the row, [1] the column, from 0 */
static char above[9][9], right_of[9][9]; /* walls above a cell and to the right of it */
static const int STEP[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

static int is_cell(int row, int column) {
    return row >= 0 && row < size && column >= 0 && column < size;
}

static int is_free(int row, int column, const int *step) {
    int to_row = row + step[0], to_column = column + step[1];
    if (!is_cell(to_row, to_column)) return 0;
    if (step[0]) return !above[step[0] > 0 ? row : to_row][column];
    return !right_of[row][step[1] > 0 ? column : to_column];
}

/* e3h lies above e3 and f3, d4v to the right of d4 and d5. */
static void put_wall(const char *name) {
    int column = name[0] - 'a', row = name[1] - '1';
    if (!is_cell(row, column) || !is_cell(row + 1, column + 1)) return;
    if (name[2] == 'h') above[row][column] = above[row][column + 1] = 1;
    if (name[2] == 'v') right_of[row][column] = right_of[row + 1][column] = 1;
}

static void play(const char *move) {
    int column = move[0] - 'a', row = move[1] - '1';
    if (strlen(move) == 3) put_wall(move);
    else if (is_cell(row, column)) pawn[to_move][0] = row, pawn[to_move][1] = column;
    to_move = 1 - to_move;
}

/* "9 e4/e6 c3h,e3h 8/9 2 9 1 moves e3 ...": size, pawns, walls, walls left, player to move, ... */
static void read_position(char *text) {
    char fields[3][512], moves[] = " moves ", *rest = strstr(text, moves);
    int player;
    if (rest) *rest = 0, rest += strlen(moves);
    if (!strncmp(text, "startpos", 8)) text = "9 e1/e9 - 10/10 1 0 0";
    if (sscanf(text, "%d %511s %511s %511s %d", &size, fields[0], fields[1], fields[2], &player) != 5
        || size < 3 || size > 9 || strlen(fields[0]) != 5 || player < 1 || player > 2) {
        size = 0;
        puts("error expected a position of Quoridor");
        return;
    }
    to_move = player - 1;
    for (int i = 0; i < 2; i++)
        pawn[i][0] = fields[0][3 * i + 1] - '1', pawn[i][1] = fields[0][3 * i] - 'a';
    if (!is_cell(pawn[0][0], pawn[0][1]) || !is_cell(pawn[1][0], pawn[1][1])) size = 0;
    memset(above, 0, sizeof above), memset(right_of, 0, sizeof right_of);
    for (char *wall = strtok(fields[1], ",-"); wall; wall = strtok(NULL, ",")) put_wall(wall);
    for (char *move = rest ? strtok(rest, " ") : NULL; move; move = strtok(NULL, " ")) play(move);
}

/* Steps from every cell to the goal row, without regard to the other pawn. */
static void find_distances(int goal, int distance[9][9]) {
    for (int i = 0; i < 81; i++) distance[i / 9][i % 9] = i / 9 == goal ? 0 : 99;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int row = 0; row < size; row++)
            for (int column = 0; column < size; column++)
                for (int i = 0; i < 4; i++) {
                    if (!is_free(row, column, STEP[i])) continue;
                    int next = distance[row + STEP[i][0]][column + STEP[i][1]] + 1;
                    if (next < distance[row][column]) distance[row][column] = next, changed = 1;
                }
    }
}

static void keep_better(int row, int column, int distance[9][9], int *best, char *move) {
    if (distance[row][column] >= *best) return;
    *best = distance[row][column];
    sprintf(move, "%c%c", 'a' + column, '1' + row);
}

/* Choose a move here. A pawn jumps over the other one or, with a wall behind it, moves past it. */
static void choose(char *move) {
    int *own = pawn[to_move], *other = pawn[1 - to_move], distance[9][9], best = 999;
    strcpy(move, "none");
    if (!size || pawn[0][0] == size - 1 || pawn[1][0] == 0) return;
    find_distances(to_move ? 0 : size - 1, distance);
    for (int i = 0; i < 4; i++) {
        int row = own[0] + STEP[i][0], column = own[1] + STEP[i][1];
        if (!is_free(own[0], own[1], STEP[i])) continue;
        if (row != other[0] || column != other[1])
            keep_better(row, column, distance, &best, move);
        else if (is_free(row, column, STEP[i]))
            keep_better(row + STEP[i][0], column + STEP[i][1], distance, &best, move);
        else
            for (int j = 0; j < 4; j++)
                if ((STEP[i][0] == 0) != (STEP[j][0] == 0) && is_free(row, column, STEP[j]))
                    keep_better(row + STEP[j][0], column + STEP[j][1], distance, &best, move);
    }
}

int main(void) {
    static char line[1 << 20];
    char move[16] = "", start[] = "startpos";
    int is_waiting = 0; /* for stop or ponderhit, after go infinite or go ponder */
    setvbuf(stdout, NULL, _IOLBF, 0);
    read_position(start);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        if (!strcmp(line, "uci")) puts("id name Smallest in C\nuciok");
        else if (!strcmp(line, "isready")) puts("readyok");
        else if (!strncmp(line, "position ", 9)) read_position(line + 9);
        else if (!strncmp(line, "go", 2)) {
            choose(move);
            is_waiting = strstr(line, "infinite") || strstr(line, "ponder");
            if (!is_waiting) printf("bestmove %s\n", move);
        } else if (is_waiting && (!strcmp(line, "stop") || !strcmp(line, "ponderhit"))) {
            printf("bestmove %s\n", move);
            is_waiting = 0;
        } else if (!strcmp(line, "quit")) return 0;
    }
    return 0;
}
