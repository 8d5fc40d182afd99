# The pre-tokenizer is a regular expression.
LIBS := -lpcre2-8
