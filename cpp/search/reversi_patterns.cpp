#include "search/reversi_patterns.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/error.h"

namespace plyground::reversi {
namespace {

constexpr int kMaxSquares = 10;

struct Group {
    std::array<uint8_t, kMaxSquares> squares{};
    int size = 0;

    constexpr Squares set() const {
        Squares set = 0;
        for (int i = 0; i < size; ++i)
            set |= bit_of(squares[i]);
        return set;
    }
    constexpr Group mapped(int symmetry) const {
        Group image = *this;
        for (int i = 0; i < size; ++i)
            image.squares[i] = static_cast<uint8_t>(symmetric_square(squares[i], symmetry));
        return image;
    }
};

template <int N>
constexpr Group group(const char (&names)[N]) {
    Group group;
    for (int i = 0; i + 1 < N; i += 3)
        group.squares[group.size++] =
            static_cast<uint8_t>(square_at(names[i + 1] - '1', names[i] - 'a'));
    return group;
}

// One group of each kind; the other groups are its images.
constexpr std::array<Group, kPatterns> kKinds{
    group("a1 b1 c1 d1 e1 f1 g1 h1 b2 g2"),  // an edge with the squares inside its corners
    group("a1 b1 c1 a2 b2 c2 a3 b3 c3"),     // a corner, 3x3
    group("a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"),  // a corner, 2x5
    group("a1 b2 c3 d4 e5 f6 g7 h8"),        // diagonals
    group("a2 b3 c4 d5 e6 f7 g8"),
    group("a3 b4 c5 d6 e7 f8"),
    group("a4 b5 c6 d7 e8"),
    group("a5 b6 c7 d8"),
    group("a2 b2 c2 d2 e2 f2 g2 h2"),  // lines
    group("a3 b3 c3 d3 e3 f3 g3 h3"),
    group("a4 b4 c4 d4 e4 f4 g4 h4"),
};

constexpr int power_of_3(int n) {
    int power = 1;
    while (n-- > 0)
        power *= 3;
    return power;
}

struct Instance {
    Group group;
    int kind = 0;
};

struct Layout {
    std::array<Instance, kInstances> instances{};
    std::array<int, kPatterns> table_at{};  // where the table of a kind starts
    std::array<int, kInstances> centre{};   // where configuration 0 of an instance is
    int table_size = 0;
    // Powers of 3 by square, for PatternView.
    alignas(32) std::array<std::array<int16_t, PatternView::kPadded>, kSquares> powers{};
};

constexpr Layout kLayout = [] {
    Layout layout;
    int count = 0;
    for (int kind = 0; kind < kPatterns; ++kind) {
        layout.table_at[kind] = layout.table_size;
        layout.table_size += power_of_3(kKinds[kind].size);
        const int first = count;
        for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) {
            const Group image = kKinds[kind].mapped(symmetry);
            bool is_new = true;
            for (int i = first; i < count; ++i)
                is_new = is_new && layout.instances[i].group.set() != image.set();
            if (is_new) layout.instances[count++] = {image, kind};
        }
    }
    if (count != kInstances) throw "kInstances is wrong";
    for (int i = 0; i < kInstances; ++i) {
        const auto& [group, kind] = layout.instances[i];
        layout.centre[i] = layout.table_at[kind] + power_of_3(group.size) / 2;
        for (int place = 0; place < group.size; ++place)
            layout.powers[group.squares[place]][i] = static_cast<int16_t>(power_of_3(place));
    }
    return layout;
}();

// Maps an index into the tables of all kinds to its folded number, which mirror images share.
class Folding {
  public:
    Folding() {
        for (int kind = 0; kind < kPatterns; ++kind) {
            const auto mirror = mirror_places(kKinds[kind]);
            const int size = power_of_3(kKinds[kind].size);
            for (int number = 0; number < size; ++number) {
                const int image = permuted(number, mirror, kKinds[kind].size);
                folded_[kLayout.table_at[kind] + number] =
                    image < number ? folded_[kLayout.table_at[kind] + image] : count_++;
            }
        }
    }
    uint32_t operator[](int place) const { return folded_[place]; }
    int count() const { return static_cast<int>(count_); }

  private:
    using Places = std::array<int, kMaxSquares>;

    // The permutation of the group's squares under the symmetry that maps the group to itself; the
    // identity if there is no other such symmetry.
    static Places mirror_places(const Group& group) {
        Places places{};
        for (int symmetry = kSymmetries - 1; symmetry >= 0; --symmetry) {
            const Group image = group.mapped(symmetry);
            if (image.set() != group.set()) continue;
            bool moves_any = false;
            for (int i = 0; i < group.size; ++i) {
                const auto* const at =
                    std::find(group.squares.begin(), group.squares.end(), image.squares[i]);
                places[i] = static_cast<int>(at - group.squares.begin());
                moves_any = moves_any || places[i] != i;
            }
            if (moves_any) break;
        }
        return places;
    }
    static int permuted(int number, const Places& places, int size) {
        int image = 0;
        for (int i = 0; i < size; ++i, number /= 3)
            image += number % 3 * power_of_3(places[i]);
        return image;
    }

    std::vector<uint32_t> folded_ = std::vector<uint32_t>(kLayout.table_size);
    uint32_t count_ = 0;
};

const Folding& folding() {
    static const Folding kFolding;
    return kFolding;
}

}  // namespace

PatternView PatternView::from(Squares own, Squares other) {
    PatternView view;
    for_each_square(own, [&](int square) {
        for (int i = 0; i < kPadded; ++i)
            view.of[i] = static_cast<int16_t>(view.of[i] + kLayout.powers[square][i]);
    });
    for_each_square(other, [&](int square) {
        for (int i = 0; i < kPadded; ++i)
            view.of[i] = static_cast<int16_t>(view.of[i] - kLayout.powers[square][i]);
    });
    return view;
}

#if defined(__AVX2__)

void PatternView::after(int square, Squares turned, PatternView& next) const {
    static_assert(kPadded == 48);
    const auto load = [](const std::array<int16_t, kPadded>& from, int part) {
        return _mm256_load_si256(reinterpret_cast<const __m256i*>(from.data()) + part);
    };
    // Turned discs change from -1 to 1, by twice the power.
    __m256i a = _mm256_setzero_si256(), b = a, c = a;
    for (; turned; turned &= turned - 1) {
        const auto& powers = kLayout.powers[first_square(turned)];
        a = _mm256_add_epi16(a, load(powers, 0));
        b = _mm256_add_epi16(b, load(powers, 1));
        c = _mm256_add_epi16(c, load(powers, 2));
    }
    const auto finish = [&](__m256i twice, int part) {
        const __m256i sum = _mm256_add_epi16(load(of, part), load(kLayout.powers[square], part));
        const __m256i negated = _mm256_sub_epi16(_mm256_setzero_si256(), sum);
        _mm256_store_si256(reinterpret_cast<__m256i*>(next.of.data()) + part,
                           _mm256_sub_epi16(negated, _mm256_slli_epi16(twice, 1)));
    };
    finish(a, 0);
    finish(b, 1);
    finish(c, 2);
}

#else

void PatternView::after(int square, Squares turned, PatternView& next) const {
    std::array<int16_t, kPadded> sum = of;
    for (int i = 0; i < kPadded; ++i)
        sum[i] = static_cast<int16_t>(sum[i] + kLayout.powers[square][i]);
    // From -1 to 1: twice the power.
    for (; turned; turned &= turned - 1) {
        const auto& powers = kLayout.powers[first_square(turned)];
        for (int i = 0; i < kPadded; ++i)
            sum[i] = static_cast<int16_t>(sum[i] + 2 * powers[i]);
    }
    for (int i = 0; i < kPadded; ++i)
        next.of[i] = static_cast<int16_t>(-sum[i]);
}

#endif

int folded_size() { return folding().count() + 1; }

void folded_indices(Squares own, Squares other, std::span<uint32_t, kInstances + 1> out) {
    const PatternView view = PatternView::from(own, other);
    for (int i = 0; i < kInstances; ++i)
        out[i] = folding()[kLayout.centre[i] + view.of[i]];
    out[kInstances] = static_cast<uint32_t>(folding().count());
}

Patterns::Patterns(std::span<const int16_t> folded) {
    const auto size = static_cast<size_t>(folded_size());
    if (folded.size() != kPhases * size) {
        throw ConfigError("expected " + std::to_string(kPhases * size) + " pattern values, got " +
                          std::to_string(folded.size()));
    }
    for (int phase = 0; phase < kPhases; ++phase) {
        const auto values = folded.subspan(phase * size, size);
        values_[phase].resize(kLayout.table_size);
        for (int i = 0; i < kLayout.table_size; ++i)
            values_[phase][i] = values[folding()[i]];
        to_move_[phase] = values[size - 1];
    }
}

Score Patterns::evaluate(const PatternView& view, int discs) const {
    const int phase = phase_of(discs);
    const int16_t* const values = values_[phase].data();
    // Unrolled: GCC leaves a loop as it is. The index has the width of a pointer, so that the
    // compiler need not extend a sum to it.
    const Score sum = to_move_[phase] + [&]<size_t... I>(std::index_sequence<I...>) {
        return (values[kLayout.centre[I] + std::ptrdiff_t{view.of[I]}] + ...);
    }(std::make_index_sequence<kInstances>{});
    // Not more than all discs.
    return std::clamp(sum, -100 * kSquares, 100 * kSquares);
}

}  // namespace plyground::reversi
