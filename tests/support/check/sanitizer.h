/* __SANITIZE_ADDRESS__ under AddressSanitizer, also with clang, which says it in
 * another way. */
#ifndef TESTS_SUPPORT_SANITIZER_H
#define TESTS_SUPPORT_SANITIZER_H

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

#endif
