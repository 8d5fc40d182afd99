/* AdamW whose moments are shared out: ZeRO, stage 1 (Rajbhandari et al. 2020). */
#ifndef CHAPTER_16_SHARDED_ADAMW_H
#define CHAPTER_16_SHARDED_ADAMW_H

#include "16-data-parallel/data_parallel.h"

/* After trainer_resume at rank 0: every rank takes the moments of its share, and none
 * keeps them all. */
void sharded_adamw_begin(DataParallel *p);

/* The functions of process_group.h. The update makes the same bits as clip_grad_norm
 * and adamw_step with all gradients; in between two saves, only begin_save gives rank 0
 * all moments. */
double sharded_adamw_update(ProcessGroup *group, Trainer *t);
void sharded_adamw_begin_save(ProcessGroup *group, Trainer *t);
void sharded_adamw_end_save(ProcessGroup *group, Trainer *t);

#endif
