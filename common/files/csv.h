/* Experiment logs: comma-separated values with a header line, one file per figure.
 *
 * The file appears under its name only when it is complete (see file.h). */
#ifndef FILES_CSV_H
#define FILES_CSV_H

#include "files/file.h"

typedef struct {
    FileWriter file;
} Csv;

/* Starts `directory`/`name`.csv; `columns` is the header line, e.g.
 * "step,loss,grad_norm". Creates the directory. */
Csv csv_begin(const char *directory, const char *name, const char *columns);

/* One line; the line feed is added. Print floats with %.6g: enough to draw, and the
 * same everywhere. */
void csv_row(Csv *csv, const char *format, ...) __attribute__((format(printf, 2, 3)));

void csv_commit(Csv *csv);

#endif
