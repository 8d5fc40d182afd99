# The linker leads every call of matmul and its kin to product.c, which needs one that can. Nothing later shall link that.
OPTIONAL := yes
LIBS := -Xlinker --wrap=matmul -Xlinker --wrap=matmul_bias -Xlinker --wrap=matmul_at_b -Xlinker --wrap=matmul_a_bt
MISSING := $(if $(shell $(A_PROGRAM) $(LIBS) -x c - -o /dev/null 2>/dev/null && echo yes),,a linker that knows --wrap)
