/* Your attack on 16/bucket: tests that right code passes and wrong code does not. The
 * contract is in chapters/16-data-parallel/bucket.h, what compares numbers in
 * tests/support/check/check.h. Run it: make attack-16 EX=bucket */
#include "16-data-parallel/bucket.h"

#include "check/check.h"

Test(attack, two_parameters) {
    ATTACK_TODO("16/bucket");
    Bucket buckets[2];
    size_t n = bucket_fill(buckets, (size_t[]){3, 4}, 2, 10);
    bucket_wait(buckets, n);
    bucket_final(buckets, n, 1);
    /* How many buckets are there, with which parameters? When does one leave, and when
     * not yet? */
}
