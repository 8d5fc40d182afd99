/* A directory whose files change together: a model's weights, config, vocabulary and
 * checkpoint belong to each other, and a program that ends at any moment leaves all of
 * the old ones or all of the new ones.
 *
 *     Directory *d = directory_open("build/model"); // no other process may open it now
 *     FileWriter *w = directory_add(d, "config.json"); // write to it
 *     directory_remove(d, "vocab.json");
 *     directory_commit(d);
 *     ...
 *     directory_close(d);
 *
 * How: the new files are written under temporary names and flushed. Then a journal with
 * all renames is put in place, in one moment: from here on the change has happened. The
 * renames follow, and the journal goes. A program that was ended in between left the
 * journal; the next one that opens the directory, for writing or for reading
 * (directory_finish), does the rest. */
#ifndef CHECKPOINTS_DIRECTORY_H
#define CHECKPOINTS_DIRECTORY_H

#include "files/checksum.h"
#include "files/file.h"

typedef struct Directory Directory;

/* Creates the directory where there is none, locks it, finishes an interrupted change,
 * and checks that files can be created in it. Ends the program when another process has
 * it open, and names that process. */
Directory *directory_open(const char *path);

/* Ends the program now if a file of that name could not be added later: its link leads
 * nowhere, or to a device. */
void directory_expect_writable(const Directory *d, const char *name);

/* A new file of the directory. The writer is the directory's; nothing is to be seen
 * before the commit. The name is kept, not copied. */
FileWriter *directory_add(Directory *d, const char *name);

/* The checksum of the bytes written so far to a file that was added since the last
 * commit; false if there is none of that name. */
bool directory_checksum(const Directory *d, const char *name, char text[CHECKSUM_TEXT]);

/* Takes a file out of the directory with the commit; it need not be there. */
void directory_remove(Directory *d, const char *name);

/* Carries out the additions and removals since the last commit. */
void directory_commit(Directory *d);

/* Commits the remaining changes and releases the lock. */
void directory_close(Directory *d);

/* For readers: does the rest of an interrupted change. Nothing to do is no error, no
 * directory neither. */
void directory_finish(const char *path);

/* Is there a file of that name in the directory at the path? */
bool directory_has(const char *path, const char *name);

#endif
