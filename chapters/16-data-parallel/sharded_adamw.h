/* AdamW whose moments are shared out: ZeRO, stage 1 (Rajbhandari et al. 2020). */
#ifndef CHAPTER_16_SHARDED_ADAMW_H
#define CHAPTER_16_SHARDED_ADAMW_H

#include "16-data-parallel/data_parallel.h"

/* Behind trainer_resume of the leader: every rank takes the moments of its share, and
 * nobody keeps all. */
void sharded_adamw_begin(DataParallel *p);

/* What team.h asks for. The update makes the same bits as clip_grad_norm and adamw_step
 * with all gradients; in between two saves, only begin_save gives the leader all
 * moments. */
double sharded_adamw_update(Team *team, Trainer *t);
void sharded_adamw_begin_save(Team *team, Trainer *t);
void sharded_adamw_end_save(Team *team, Trainer *t);

#endif
