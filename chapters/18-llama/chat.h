/* Chat templates: a conversation as the text that a model was trained on, which is a
 * few special tokens around each message. ChatML, of SmolLM2 and Qwen:
 *
 *     <|im_start|>user
 *     How many?<|im_end|>
 *     <|im_start|>assistant
 *
 * and Llama 3's, behind <|begin_of_text|>:
 *
 *     <|start_header_id|>user<|end_header_id|>
 *
 *     How many?<|eot_id|><|start_header_id|>assistant<|end_header_id|>
 *
 * Models bring their template as a program (Jinja), which is not run. One that writes a
 * text around each message and no more is read (chat_form.h); else these two are known
 * by their special tokens. A message's text is never read as a special token: no user
 * can end another's turn. */
#ifndef CHAPTER_18_CHAT_H
#define CHAPTER_18_CHAT_H

#include "09-tokenizer/tokenizer.h"

/* role: "system", "user" or "assistant". Some templates begin with a system message of
 * their own where there is none; that is left to the caller. */
typedef struct {
    const char *role, *text;
} ChatMessage;

/* The ids of n messages, in new memory, and of the beginning of the assistant's reply,
 * which the model continues. Ends the program where the vocabulary has the tokens of
 * neither template, and for another role. */
int *chat_encode(const Tokenizer *t, const ChatMessage *messages, size_t n,
                 size_t *n_tokens);

/* In which way the ids may differ from those of the model's own template, with a system
 * message among the messages or not; NULL: in none. */
const char *chat_warning(const Tokenizer *t, bool has_system);

/* The token that ends a message, and so the reply; -1 where there is no template. */
int chat_end(const Tokenizer *t);

#endif
