"""The store in PostgreSQL, and why it is as it is.

The server is far away, and other processes write to it too. What costs is the way there and back:
so as much as possible goes in one statement.

* **Moves** are nearly all that is written, and every one of them is about a match of its own. Those
  that wait go together, in a few groups at a time (`store`, `moves`): another is begun beside those
  under way when as many moves wait as are in these, and after one its players may answer first. So
  groups grow with what there is to do, and nobody waits where that is little. The one statement
  that makes them makes those whose guard is met and says which these were; so a move that comes too
  late costs the others nothing. Every group takes its rows in the order of their ids, and no two
  groups wait for each other in a ring.

* **Any other change** has a transaction of its own (`commit`), in which its steps go together as
  far as what they touch allows (`batches`). Each step says which rows it is about. Steps that are
  about the same rows follow each other; all others are parts of one statement.

* **Purchases** that wait share such a transaction (`apart`): their steps are the same, and a step
  of many is one for a table of rows. If one of them cannot be made, nothing is, and halves of the
  group are tried.

* **An error of the server is a fault.** A guard that is not met is an answer: the part that has it
  touches no row, the parts behind it do nothing, and the transaction is rolled back. Nothing is
  tried in order to see it fail, and nothing of this stands in the server's log. What the server
  alone can refuse is that something exists already, or that what is named does not: then it does
  write a line, and the error comes back as `Taken` or `Impossible`.

* **Read committed** is enough, because every write is guarded: a statement that had to wait for a
  row looks at it again. What it read beside that row it does not read again; so what must see the
  work of those it waited for comes in a statement of its own (`Statement.follows`), as the lines of
  the ledger do.

* **Who is cut off** in the middle knows that nothing happened, and tries again (`connection`); who
  is cut off in the commit cannot know, and says so: `Unavailable`.
"""
