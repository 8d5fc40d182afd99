/* Exercise 17/gpt2: GPT-2 as one file, C11, of at most 500 lines, that includes nothing
 * but the standard library's headers:
 *
 *     cc -O2 gpt2.c -lm -o gpt2
 *     ./gpt2 DIR [-p PROMPT] [-n N] [-t TEMPERATURE] [-k TOP_K] [-s SEED]
 *                [--ids 1,2,3] [--logits FILE]
 *
 * DIR is a model as Hugging Face stores it: config.json, model.safetensors, vocab.json,
 * merges.txt. The program reads the prompt and goes on from it. It writes the prompt,
 * what follows, and a line feed on standard output.
 *
 *   -p       the prompt, a text
 *   --ids    the prompt as ids, in its place. Then the vocabulary is not read, and what
 *            is written is ids, the prompt's first: 1,2,3,68,456
 *   -n       how many tokens to write; 100 if it is not given. With 0 the ids of the
 *            prompt are written, for -p too: 15496,995
 *   -t       0, if it is not given, is greedy: always the token of the largest logit.
 *            Else a token is drawn with the probabilities softmax(logits / t)
 *   -k       only the k tokens of the largest logits are drawn; 0, if it is not given,
 *            is all. A large k takes milliseconds, as a small one: the logits are not
 *            gone through for each of k
 *   -s       the seed: the same seed writes the same text, another one another text
 *   --logits the file that the logits go to: float32 [positions, vocab_size], a row for
 *            each token that is read, of prompt and text; with -n 0, for each of the
 *            prompt. Otherwise the token that is written last need not be read, and n
 *            ids have n rows or n - 1
 *
 * Text and ids go out token by token, each before the next one is computed. A token
 * that was written is read again through a cache of keys and values: no position is
 * computed twice. Where the context (n_positions) is full, the token that is chosen
 * last is written, and the program ends: of a prompt of n tokens that is after
 * n_positions + 1.
 *
 * Files that are read:
 *
 *   config.json: vocab_size, n_positions, n_layer, n_head, n_embd; n_inner (4 n_embd
 *   where it is missing or null), layer_norm_epsilon (1e-5). model_type other than
 *   "gpt2", activation_function other than "gelu_new", scale_attn_weights or
 *   tie_word_embeddings false, scale_attn_by_inverse_layer_idx true are refused. All
 *   other keys are skipped. Sizes that are no whole numbers are refused.
 *
 *   model.safetensors: 8 bytes, the length of the header; the header, a JSON object of
 *   {"NAME": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}; the
 *   numbers, at these offsets behind the header. Names may begin with "transformer.".
 *   Entries that the model does not need (masks, __metadata__), of any type, are
 *   skipped. An lm_head.weight must be wte.weight once more, else the file is refused:
 *   such a model has a head of its own. The entry of a tensor has its keys in this
 *   order, the header a length that is a multiple of 8, as in all files that Hugging
 *   Face's library writes.
 *
 *   vocab.json: {"!": 0, "\"": 1, "\u0120t": 256, ...}, a token's text, in GPT-2's
 *   characters for bytes, to its id; as UTF-8 or with \u. merges.txt: a line "#version"
 *   or none, then a line for each merge, "h e", the first merge first.
 *
 *   An id that is not below vocab_size or occurs twice, and a vocab.json that ends
 *   inside a token, are refused; so are a byte without a token and a merge whose result
 *   is no token, at the latest when the text needs them.
 *
 *   A token with a blank is a mark: no text becomes it, and it is written as it is.
 *
 * The text is cut into words as GPT-2 does where it is ASCII; every byte from 128 on
 * counts as a letter. <|endoftext|> in a prompt is text.
 *
 * Input that does not fit, is missing or is cut off ends the program with exit code 1
 * and one line on standard error that names what was expected; so do ids that are not
 * below vocab_size or too many for the context, an option that is not above, and one
 * without its value. A value without sense (-n -3, -t nan) may be
 * refused, too. Nothing, no file and no option, makes it crash. */
#ifndef CHAPTER_17_GPT2_H
#define CHAPTER_17_GPT2_H

enum { GPT2_LINES = 500 };

/* The object that stands for this exercise: the path of its program, and of its source
 * file. */
extern const char gpt2_program[], gpt2_source[];

#endif
