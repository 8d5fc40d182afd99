# The linker is_root every call of matmul and its kin to product.c, which needs one that can.
# Nothing later shall link that.
OPTIONAL += 15-speed
LIBS_15-speed := -Xlinker --wrap=matmul -Xlinker --wrap=matmul_bias \
    -Xlinker --wrap=matmul_at_b -Xlinker --wrap=matmul_a_bt
MISSING_15-speed := $(if $(CAN_WRAP),,a linker that knows --wrap)
