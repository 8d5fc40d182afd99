# This exercise is a program: nothing links it, and its tests run it.
WHOLE_PROGRAMS += 17-one-file/gpt2
