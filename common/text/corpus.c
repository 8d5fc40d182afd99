/* The language of the built-in corpus, and its questions: see corpus.h.
 *
 * grammar.h explains the notation. To add a sentence, add a line to `aside`, or to
 * `tale` for a new kind of story. No two lines of a rule may begin alike before their
 * first [choice]; corpus_floor says which ones do. */
#include "text/corpus.h"

#include "base/error.h"
#include "text/grammar.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const GrammarRule language[] = {
    {"story", {"[person:hero] [tale]\n"}},

    /* The five kinds of stories, each with something to remember. */
    {"tale",
     {"puts a [look] [thing:toy] [place:spot]. [aside] [aside] "
      "Where is the {toy}? {^spot?}.",
      "hides a [look] [thing:toy] [place:spot] and a [thing:other!toy] "
      "[place:nook!spot]. [aside] "
      "Where is the [hidden].",
      "has a [colour:hue] [thing:toy] and a [colour:tint!hue] [thing:other!toy]. "
      "[aside] "
      "What colour is the [painted].",
      "gives [person:friend!hero] a [look] [thing:toy]. [gift].",
      "sees [number:count] [look] [animal:beast]{count.noun} [site]. [aside] [aside] "
      "How many {beast}s does {hero.she} see? {^count?}."}},
    {"hidden", {"{toy}? {^spot?}", "{other}? {^nook?}"}},
    {"painted", {"{toy}? {^hue?}", "{other}? {^tint?}"}},
    {"gift",
     {"{^friend.she} keeps it. [aside] [aside] Who has the {toy}? {friend?}",
      "Later {friend} gives it to [person:third!friend]. [aside] Who has the {toy}? "
      "{third?}"}},

    /* Sentences that change nothing; they stand between a fact and the question about
     * it. */
    {"aside",
     {"3*Then [person:guest!hero] [deed].",
      "2*Nearby [number:some] [look] [animal]{some.noun} [act]{some.verb} [site].",
      "Now {hero} is [mood:first] and [mood:second!first].",
      "The [look] [animal] is [mood]."}},
    {"deed",
     {"2*and [person:pal!hero!guest] [act] [site]",
      "2*eats [food:dish] and [food:side!dish]",
      "drinks [drink]", "is [mood]", "goes to the [goal]", "sings a [look] song"}},

    /* Words with several forms: the pronoun of a person; the endings of noun and verb
     * behind a number. */
    {"person|she",
     {"2*Anna|she", "Tom|he", "Mia|she", "2*Ben|he", "Lily|she", "Sam|he", "Rosa|she",
      "Max|he",
      "Eva|she", "Jack|he", "Nora|she", "Paul|he"}},
    {"number|noun|verb", {"one||s", "2*two|s|", "three|s|", "four|s|", "five|s|"}},

    /* Words with one form. */
    {"thing",
     {"2*ball", "key", "book", "cup", "hat", "ring", "coin", "pen", "map", "lamp",
      "doll", "kite",
      "shell", "drum"}},
    {"place",
     {"2*in the box", "in the basket", "in the drawer", "on the shelf", "on the table",
      "under the bed",
      "under the chair", "behind the door"}},
    {"colour", {"2*red", "blue", "green", "yellow", "white", "black"}},
    {"look", {"2*small", "big", "new", "nice", "funny", "pretty", "fine", "clean",
     "quiet", "tiny"}},
    {"mood", {"2*happy", "sad", "tired", "hungry", "angry", "calm", "busy", "cold"}},
    {"animal", {"2*cat", "dog", "bird", "cow", "frog", "duck", "goat", "hen", "bee",
     "pig"}},
    {"act", {"2*play", "sleep", "run", "hide", "jump", "wait", "walk", "rest"}},
    {"site",
     {"2*near the tree", "by the river", "in the garden", "on the hill", "by the pond",
      "at the gate"}},
    {"food", {"2*bread", "soup", "nuts", "rice", "cake", "pears", "eggs", "cheese",
     "plums", "fish"}},
    {"drink", {"milk", "tea", "water", "juice", "coffee"}},
    {"goal", {"school", "market", "lake", "park", "forest", "shop"}},
};
/* clang-format on */

enum { LANGUAGE_RULES = sizeof language / sizeof *language, STORY_CAPACITY = 512 };

CorpusText corpus_generate(uint64_t seed, size_t min_bytes) {
    Grammar *g = grammar_create(language, LANGUAGE_RULES);
    Random random = random_create(seed);
    size_t capacity = min_bytes + STORY_CAPACITY + 1;
    CorpusText c = {.text = checked_alloc(capacity, 1)};
    while (c.bytes < min_bytes) {
        c.bytes +=
            grammar_write(g, &random, c.text + c.bytes, capacity - c.bytes, &c.nll);
        if (c.bytes >= capacity)
            die("a story of the corpus is longer than %d bytes", STORY_CAPACITY);
        c.stories++;
    }
    c.text[c.bytes] = '\0';
    grammar_free(g);
    return c;
}

CorpusFloor corpus_floor(void) {
    Grammar *g = grammar_create(language, LANGUAGE_RULES);
    GrammarMeasure m = grammar_measure(g);
    grammar_free(g);
    return (CorpusFloor){m.entropy, m.bytes, m.entropy / m.bytes};
}

CorpusGrade corpus_grade(const char *text, size_t bytes) {
    Grammar *g = grammar_create(language, LANGUAGE_RULES);
    CorpusGrade grade = {0};
    const char *end = text + bytes, *newline;
    for (const char *line = text;
         line < end && (newline = memchr(line, '\n', (size_t)(end - line)));
         line = newline + 1) {
        GrammarReading story = grammar_read(g, line, (size_t)(newline + 1 - line));
        bool right = story.grammatical && story.right == story.answers;
        grade.stories++;
        grade.grammatical += story.grammatical;
        grade.right += right;
        if (right) grade.nll += story.nll;
    }
    grammar_free(g);
    return grade;
}
