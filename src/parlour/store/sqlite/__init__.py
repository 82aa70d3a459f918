"""The store in one SQLite file, and why it is as it is.

The database is in the process: a statement takes microseconds, making it durable takes a thousand
times as long. So everything that is asked for meanwhile shares one transaction and one sync.

* **One group at a time** (`store`). What waits is begun on the event loop's thread, which takes
  little time, and finished on a thread of its own, which may wait for the disk (`commit`). What is
  asked for in the meantime makes up the next group.

* **Moves are made together** (`moves`), a few statements for hundreds of them, and so are purchases
  where there are several: their payments are statements for many rows. While SQLite works
  on a statement Python is free for others; were every move a statement of its own, the two threads
  would take Python's lock from one another at each, which costs more than the statements.

* **Nothing is undone unless something failed.** A change whose first statement is refused has done
  nothing, and the group goes on without it. Only where one fails halfway is the group made again,
  then with a savepoint for each change.

* **The log is copied between two groups** (`store`), while the first is told. By itself SQLite has
  a commit do it, and those who wait for that commit are told when it is done.

* **Reads have a budget** (`reads`). What an index answers at once is read on the event loop's
  thread, for handing it to another would take longer. What exceeds its budget there is given up,
  and read beside, where lists and whole tables are read from the start.

* **One server has the file** (`lock`), or several that hear each other: others would be told of
  nothing that happens in it.
"""
