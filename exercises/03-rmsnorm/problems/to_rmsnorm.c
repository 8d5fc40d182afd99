/* Open problem 03/to_rmsnorm. The rules are in
 * chapters/03-rmsnorm/problems/to_rmsnorm.h. */
#include "03-rmsnorm/problems/to_rmsnorm.h"

#include "program/problem.h"

void to_rmsnorm(NormNetwork *to, const Norm *from) {
    PROBLEM_TODO("03/to_rmsnorm");
}
