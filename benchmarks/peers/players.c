/* Plays one game of Connect 4 at each of many tables, in a closed loop, as fast as its server lets it.

   players PORT SERVER_PID < SCRIPT

   It knows frames and nothing of what they say. Its script has a line each, all in hexadecimal:

     what a client says when it is let in, or "-"
     how the message begins that lets it in
     how messages begin that tell of a move, separated by spaces
     the frames of all moves, separated by spaces
     the requests that open sockets, a line each: of a table the first player's, then the second's

   The next move of a table is sent when both of its players have seen the one before. Opening sockets
   is not timed. What it took is printed as JSON. */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { AT_ONCE = 64, LONGEST = 1 << 16, MOST = 64, PATIENCE_MS = 60000, CLOSE = 8, PING = 9, PONG = 10 };

typedef struct {
  uint8_t *bytes;
  size_t size;
} Bytes;

typedef struct {
  int file, table, open, in;
  Bytes rest;
} Player;

typedef struct {
  Player players[2];
  int at, seen;
  double sent_at;
} Table;

static Bytes ready, lets_in, tells[MOST], moves[MOST];
static int tell_count, move_count, table_count, waited_for, server, poller;
static Table *tables;
static double *latencies;
static size_t latency_count, received;

static void fail(const char *what) {
  fprintf(stderr, "players: %s%s%s\n", what, errno ? ": " : "", errno ? strerror(errno) : "");
  exit(1);
}

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec + at.tv_nsec / 1e9;
}

/* Processor time of the server, user's and system's. */
static double server_sec(void) {
  char name[64], line[1024];
  unsigned long user, system;
  snprintf(name, sizeof name, "/proc/%d/stat", server);
  FILE *file = fopen(name, "r");
  if (!file || !fgets(line, sizeof line, file)) fail("the server is gone");
  fclose(file);
  const char *fields = strrchr(line, ')');
  if (sscanf(fields, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
    fail("the server's time cannot be read");
  return (double)(user + system) / sysconf(_SC_CLK_TCK);
}

static double own_sec(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return used.ru_utime.tv_sec + used.ru_stime.tv_sec + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

/* ---- the script ---- */

static Bytes unhex(const char *text, size_t digits) {
  Bytes found = {malloc(digits / 2 + 1), digits / 2};
  for (size_t at = 0; at < found.size; at++) sscanf(text + 2 * at, "%2hhx", &found.bytes[at]);
  return found;
}

static char *next_line(char **line, size_t *room) {
  ssize_t size = getline(line, room, stdin);
  if (size < 0) return NULL;
  if (size && (*line)[size - 1] == '\n') (*line)[size - 1] = 0;
  return *line;
}

static int listed(char *line, Bytes *into) {
  int count = 0;
  for (char *word = strtok(line, " "); word && count < MOST; word = strtok(NULL, " "))
    into[count++] = unhex(word, strlen(word));
  return count;
}

/* ---- frames ---- */

static void put(Player *player, const uint8_t *bytes, size_t size) {
  if (send(player->file, bytes, size, MSG_NOSIGNAL) != (ssize_t)size) fail("a socket takes nothing more");
}

static int begins(const uint8_t *payload, size_t size, Bytes with) {
  return size >= with.size && !memcmp(payload, with.bytes, with.size);
}

static void move(Table *table) {
  table->seen = 0;
  table->sent_at = now();
  put(&table->players[table->at % 2], moves[table->at].bytes, moves[table->at].size);
}

static void see(Table *table) {
  if (++table->seen < 2) return;
  latencies[latency_count++] = now() - table->sent_at;
  if (++table->at < move_count)
    move(table);
  else
    waited_for--;
}

static void hear(Player *player, const uint8_t *payload, size_t size) {
  if (!player->in) {
    if (!begins(payload, size, lets_in)) return;
    player->in = 1;
    waited_for--;
    if (ready.size) put(player, ready.bytes, ready.size);
    return;
  }
  for (int kind = 0; kind < tell_count; kind++)
    if (begins(payload, size, tells[kind])) return see(&tables[player->table]);
}

static void take_frame(Player *player, int opcode, uint8_t *payload, size_t size) {
  if (opcode == PING) {
    uint8_t answer[6 + 125] = {0x80 | PONG, 0x80 | size};
    memcpy(answer + 6, payload, size);
    put(player, answer, 6 + size);
  } else if (opcode == CLOSE) {
    fail("the server closed a socket");
  } else if (opcode != PONG) {
    hear(player, payload, size);
  }
}

/* How many of these bytes were whole. */
static size_t take(Player *player, uint8_t *bytes, size_t size) {
  size_t at = 0;
  if (!player->open) {
    uint8_t *end = memmem(bytes, size, "\r\n\r\n", 4);
    if (!end) return 0;
    if (size < 12 || memcmp(bytes + 9, "101", 3)) fail("a socket was refused");
    player->open = 1;
    at = end + 4 - bytes;
  }
  while (size - at >= 2) {
    uint8_t *frame = bytes + at;
    size_t head = 2, length = frame[1];
    if (length == 126) head = 4;
    if (length == 127) head = 10;
    if (size - at < head) break;
    if (head > 2) {
      length = 0;
      for (size_t place = 2; place < head; place++) length = length << 8 | frame[place];
    }
    if (size - at < head + length) break;
    take_frame(player, frame[0] & 15, frame + head, length);
    at += head + length;
  }
  return at;
}

static void receive(Player *player) {
  static uint8_t bytes[2 * LONGEST];
  size_t before = player->rest.size;
  memcpy(bytes, player->rest.bytes, before);
  ssize_t size = recv(player->file, bytes + before, LONGEST, MSG_DONTWAIT);
  if (size < 0 && errno == EAGAIN) return;
  if (size <= 0) fail("the server hung up");
  received += size;
  size_t all = before + size, taken = take(player, bytes, all);
  if (all - taken > LONGEST) fail("a message is too long");
  player->rest.size = all - taken;
  if (player->rest.size && !player->rest.bytes) player->rest.bytes = malloc(LONGEST);
  memcpy(player->rest.bytes, bytes + taken, player->rest.size);
}

static void until_done(void) {
  struct epoll_event events[512];
  while (waited_for) {
    int count = epoll_wait(poller, events, 512, PATIENCE_MS);
    if (count <= 0) fail("nothing comes any more");
    for (int place = 0; place < count; place++) receive(events[place].data.ptr);
  }
}

/* ---- tables ---- */

static void open_socket(Player *player, int port, Bytes request) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
  int on = 1;
  inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
  player->file = socket(AF_INET, SOCK_STREAM, 0);
  if (player->file < 0 || connect(player->file, (void *)&to, sizeof to)) fail("a socket cannot be opened");
  setsockopt(player->file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  struct epoll_event events = {.events = EPOLLIN, .data.ptr = player};
  epoll_ctl(poller, EPOLL_CTL_ADD, player->file, &events);
  put(player, request.bytes, request.size);
}

/* Who comes first begins, so the second players come when the first are in. */
static void open_all(int port, Bytes *requests) {
  for (int seat = 0; seat < 2; seat++)
    for (int table = 0; table < table_count; table++) {
      Player *player = &tables[table].players[seat];
      player->table = table;
      waited_for++;
      open_socket(player, port, requests[2 * table + seat]);
      if (table % AT_ONCE == AT_ONCE - 1 || table == table_count - 1) until_done();
    }
}

int main(int count, char **words) {
  if (count != 3) fail("PORT and SERVER_PID are needed");
  server = atoi(words[2]);
  poller = epoll_create1(0);
  char *line = NULL;
  size_t room = 0, requests_room = 0;
  Bytes *requests = NULL;
  if (!next_line(&line, &room)) fail("there is no script");
  if (strcmp(line, "-")) ready = unhex(line, strlen(line));
  if (next_line(&line, &room)) lets_in = unhex(line, strlen(line));
  if (next_line(&line, &room)) tell_count = listed(line, tells);
  if (next_line(&line, &room)) move_count = listed(line, moves);
  size_t request_count = 0;
  while (next_line(&line, &room) && *line) {
    if (request_count == requests_room)
      requests = realloc(requests, (requests_room = 2 * requests_room + 64) * sizeof *requests);
    requests[request_count++] = unhex(line, strlen(line));
  }
  table_count = request_count / 2;
  tables = calloc(table_count, sizeof *tables);
  latencies = calloc((size_t)table_count * move_count, sizeof *latencies);
  errno = 0;
  open_all(atoi(words[1]), requests);

  usleep(50000); /* what the server does after letting everybody in */
  received = 0;
  waited_for = table_count;
  double began = now(), used = server_sec(), own = own_sec();
  for (int table = 0; table < table_count; table++) move(&tables[table]);
  until_done();
  double sec = now() - began;
  printf("{\"moves\":%zu,\"sec\":%.6f,\"server_sec\":%.3f,\"load_sec\":%.6f,\"bytes\":%zu,\"latencies_ms\":[",
         latency_count, sec, server_sec() - used, own_sec() - own, received);
  for (size_t at = 0; at < latency_count; at++) printf("%s%.3f", at ? "," : "", 1000 * latencies[at]);
  puts("]}");
  return 0;
}
