# This exercise is a program: nothing links it, and its tests run it. So is what each
# open problem asks for, which its judge runs. No later chapter needs what starts them,
# and a page could not.
OPTIONAL += 17-one-file
WHOLE_PROGRAMS += 17-one-file/gpt2
WHOLE_PROBLEMS += 17-one-file/problems/fast_page 17-one-file/problems/train
