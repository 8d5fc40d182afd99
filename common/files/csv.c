/* Experiment logs: see csv.h. */
#include "files/csv.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

Csv csv_begin(const char *directory, const char *name, const char *columns) {
    make_directory(directory);
    char *path = path_join(directory, name);
    path = checked_realloc(path, strlen(path) + sizeof ".csv", 1);
    strcat(path, ".csv");
    Csv csv = {file_begin(path)};
    free(path);
    file_printf(&csv.file, "%s\n", columns);
    return csv;
}

void csv_row(Csv *csv, const char *format, ...) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof line)
        die("%s: a row is longer than %zu bytes", csv->file.path, sizeof line);
    file_printf(&csv->file, "%s\n", line);
}

void csv_commit(Csv *csv) {
    file_commit(&csv->file);
}
