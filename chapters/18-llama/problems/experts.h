/* Open problem 18/experts (**): four experts that hold nearly twice the facts of an FFN
 * of as many operations */
#ifndef CHAPTER_18_EXPERTS_H
#define CHAPTER_18_EXPERTS_H

/* In the place of one FFN there are EXPERTS smaller ones, and a row goes through ACTIVE
 * of them. The router is a matrix: its product with the row is scores [EXPERTS].
 *
 * The judge adds weights[k] * expert[chosen[k]](row), and trains the router with what
 * experts_route_backward says. It compares this with differences of experts_route.
 * What a row gets depends on its scores alone. */
enum { EXPERTS = 4, ACTIVE = 2 };

/* Which experts a row goes through, each once, and what their outputs are multiplied
 * by. */
void experts_route(int chosen[ACTIVE], float weights[ACTIVE],
                   const float scores[EXPERTS]);

/* dscores += the gradient of scores, where dweights is that of weights. The choice
 * itself has none. */
void experts_route_backward(float dscores[EXPERTS], const float dweights[ACTIVE],
                            const float scores[EXPERTS]);

#endif
