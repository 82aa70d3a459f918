// Generated from sockets.json by `npm run types`: the messages on sockets.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Coming
         * @description That player's connection went, or came back.
         */
        Connect4Coming: {
            /** @enum {unknown} */
            player: 1 | 2;
        };
        /**
         * Game
         * @description A game as every answer shows it.
         */
        Connect4Game: {
            board: string;
            code: string | null;
            completedAt: string | null;
            createdAt: string;
            /** @enum {unknown} */
            currentTurn: 1 | 2;
            endedReason: ("ABANDONED" | "BOARD_FULL" | "CONNECT4" | "RESIGNED" | "TIMEOUT") | null;
            id: string;
            legalColumns: number[];
            moveEndsAt?: string;
            moves: components["schemas"]["Connect4GameMove"][];
            moveTimeMs?: number;
            p1RatingBefore: number | null;
            p1RatingDelta: number | null;
            p2RatingBefore: number | null;
            p2RatingDelta: number | null;
            player1: components["schemas"]["Connect4GamePlayer"];
            player1Id: string;
            player1LastSeen: string | null;
            player2: components["schemas"]["Connect4GamePlayer"] | null;
            player2Id: string | null;
            player2LastSeen: string | null;
            publicId: string;
            ratingAppliedAt: string | null;
            rematchGameId: string | null;
            rematchPublicId: string | null;
            rematchRequestedBy: (1 | 2) | null;
            result: ("DRAW" | "P1_WIN" | "P2_WIN") | null;
            /** @enum {unknown} */
            status: "ABANDONED" | "ACTIVE" | "COMPLETED" | "WAITING";
            updatedAt: string;
            winnerId: string | null;
            winningCells: [
                number,
                number
            ][];
        };
        /**
         * GameEnded
         * @description How it ended; a draw has no winner.
         */
        Connect4GameEnded: {
            game: components["schemas"]["Connect4Game"];
            reason: ("ABANDONED" | "BOARD_FULL" | "CONNECT4" | "RESIGNED" | "TIMEOUT") | null;
            winner: (1 | 2) | null;
        };
        /**
         * GameMove
         * @description One disc; row 0 is the top.
         */
        Connect4GameMove: {
            column: number;
            moveNumber: number;
            /** @enum {unknown} */
            player: 1 | 2;
            row: number;
            ts: string;
            userId: string;
        };
        /**
         * GamePlayer
         * @description One of the two people at a game.
         */
        Connect4GamePlayer: {
            firebaseUid?: string;
            id: string;
            rating: number;
            username: string;
        };
        /**
         * LiveBoard
         * @description The board from the bottom row up, and how many discs each column holds.
         */
        Connect4LiveBoard: {
            cells: ("" | "red" | "yellow")[][];
            height: number[];
        };
        /**
         * LiveError
         * @description What was sent is refused, and why.
         */
        Connect4LiveError: {
            code: string;
            message: string;
        };
        /**
         * MoveMade
         * @description A disc fell; row 0 is the bottom.
         */
        Connect4MoveMade: {
            board: components["schemas"]["Connect4LiveBoard"];
            column: number;
            gameId: string;
            moveCount: number;
            nextTurn: (1 | 2) | null;
            /** @enum {unknown} */
            player: 1 | 2;
            row: number;
        };
        /**
         * NextGame
         * @description Both wanted another game, and it has begun.
         */
        Connect4NextGame: {
            newGameId: string;
            newPublicId: string;
        };
        Connect4Payload: components["schemas"]["Connect4MoveMade"] | components["schemas"]["Connect4TurnChanged"] | components["schemas"]["Connect4GameEnded"] | components["schemas"]["Connect4RematchOffer"] | components["schemas"]["Connect4Withdrawn"] | components["schemas"]["Connect4NextGame"] | components["schemas"]["Connect4Coming"] | components["schemas"]["Connect4LiveError"];
        /**
         * RematchOffer
         * @description That player would like another game.
         */
        Connect4RematchOffer: {
            /** @enum {unknown} */
            player: 1 | 2;
        };
        /**
         * TurnChanged
         * @description Who is to move, and where that is possible.
         */
        Connect4TurnChanged: {
            /** @enum {unknown} */
            currentTurn: 1 | 2;
            legalColumns: number[];
            moveEndsAt?: string;
        };
        /**
         * Withdrawn
         * @description Nobody wants another game any more.
         */
        Connect4Withdrawn: Record<string, never>;
        /**
         * Challenge
         * @description One user's invitation to another, with its terms.
         */
        ConnectFiveChallenge: {
            accepted_at: string | null;
            challenger: components["schemas"]["ConnectFivePerson"];
            created_date: string;
            currency: string;
            expires_at: string;
            id: number;
            match_id: number | null;
            max_spend_amount: number;
            modified_date: string;
            opponent: components["schemas"]["ConnectFivePerson"];
            stake_amount: number;
            /** @enum {unknown} */
            status: "accepted" | "cancelled" | "expired" | "pending";
            time_limit_seconds: number;
            uuid: string;
        };
        /**
         * ChallengeUpdate
         * @description A challenge was made, accepted, cancelled, or expired.
         */
        ConnectFiveChallengeUpdate: {
            challenge: components["schemas"]["ConnectFiveChallenge"];
            /** @enum {unknown} */
            type: "update.connect_five_challenge";
        };
        ConnectFiveHeard: components["schemas"]["ConnectFiveLetIn"] | components["schemas"]["ConnectFiveNotUnderstood"] | components["schemas"]["ConnectFiveMatchUpdate"] | components["schemas"]["ConnectFiveChallengeUpdate"];
        /**
         * LastMove
         * @description The latest move, for whoever wants to show it.
         */
        ConnectFiveLastMove: {
            /** @enum {unknown} */
            move_type: "BOMB" | "CROSS4" | "H2" | "SINGLE" | "V2";
            placed: [
                number,
                number
            ][];
            removed: [
                number,
                number
            ][];
            user: number;
            x: number;
            y: number;
        };
        /**
         * LetIn
         * @description From now on the socket tells.
         */
        ConnectFiveLetIn: {
            /** @enum {unknown} */
            type: "auth_ok";
        };
        /**
         * MatchPlayer
         * @description What one player has spent and owns.
         */
        ConnectFiveMatchPlayer: {
            inventory_bomb: number;
            inventory_cross4: number;
            inventory_h2: number;
            inventory_v2: number;
            last_action_at: string | null;
            remaining_spend: number;
            spent_total: number;
            user: components["schemas"]["ConnectFivePerson"];
        };
        /**
         * MatchSnapshot
         * @description A match as one of its players sees it. Clocks are as they stood at `turn_started_at`.
         */
        ConnectFiveMatchSnapshot: {
            active_player: components["schemas"]["ConnectFivePerson"] | null;
            board_state: number[][];
            challenge: number;
            clock_a_remaining_ms: number;
            clock_b_remaining_ms: number;
            created_date: string;
            currency: string;
            finish_reason: ("cancelled" | "connect5" | "draw" | "timeout") | null;
            finished_at: string | null;
            id: number;
            last_move: components["schemas"]["ConnectFiveLastMove"] | null;
            legal: {
                [key: string]: string;
            } | null;
            max_spend_amount: number;
            modified_date: string;
            player_a: components["schemas"]["ConnectFivePerson"];
            player_b: components["schemas"]["ConnectFivePerson"];
            players: [
                components["schemas"]["ConnectFiveMatchPlayer"],
                components["schemas"]["ConnectFiveMatchPlayer"]
            ];
            prize_pool_total: number;
            server_time: string;
            stake_amount: number;
            /** @enum {unknown} */
            status: "active" | "cancelled" | "draw" | "finished_connect5" | "finished_timeout";
            time_limit_seconds: number;
            turn_number: number;
            turn_started_at: string;
            uuid: string;
            version: number;
            winner: number | null;
            winning_cells: [
                number,
                number
            ][];
        };
        /**
         * MatchUpdate
         * @description A match changed.
         */
        ConnectFiveMatchUpdate: {
            match: components["schemas"]["ConnectFiveMatchSnapshot"];
            /** @enum {unknown} */
            type: "update.connect_five_match";
        };
        /**
         * NotUnderstood
         * @description The answer to whatever else a client says.
         */
        ConnectFiveNotUnderstood: {
            /** @default not_understood */
            code: string;
            /** @default This socket only tells. */
            detail: string;
            /** @enum {unknown} */
            type: "error";
        };
        /**
         * Person
         * @description A user as others know it.
         */
        ConnectFivePerson: {
            id: number;
            username: string;
            uuid: string;
        };
        /**
         * Auth
         * @description The first message: who this is.
         */
        MemoryAuth: {
            token: string;
            /** @enum {unknown} */
            type: "auth";
        };
        /**
         * Card
         * @description A card. What a hidden one shows is not there to be sent.
         */
        MemoryCard: {
            index: number;
            /** @enum {unknown} */
            matchedBy?: "opponent" | "you";
            pairId?: number;
            /** @enum {unknown} */
            state: "hidden" | "matched" | "revealed";
        };
        /**
         * Error
         * @description What was asked for cannot be, and why: in words, and by a code that stays the same. Nothing
         *     has changed.
         */
        MemoryError: {
            code: string;
            message: string;
            /** @enum {unknown} */
            type: "error";
        };
        /**
         * FlipCard
         * @description Turn a card over.
         */
        MemoryFlipCard: {
            index: number;
            /** @enum {unknown} */
            type: "flip_card";
        };
        /**
         * GameOver
         * @description All pairs are found.
         */
        MemoryGameOver: {
            opponent: components["schemas"]["MemoryPlayer"];
            /** @enum {unknown} */
            result: "draw" | "lose" | "win";
            /** @enum {unknown} */
            type: "game_over";
            you: components["schemas"]["MemoryPlayer"];
        };
        /**
         * GameState
         * @description The table after every change, as the one who gets this sees it.
         *
         *     `highlight_indices` are there while one's Unveiling lasts, `turn_countdown_show_sec` if turns
         *     are limited, `turn_ends_at_unix_ms` while the turn's clock runs.
         */
        MemoryGameState: {
            cards: components["schemas"]["MemoryCard"][];
            flippedIndices: number[];
            hand: components["schemas"]["MemoryHolding"][];
            highlightIndices?: number[];
            opponent: components["schemas"]["MemoryPlayer"];
            /** @enum {unknown} */
            phase: "first_flip" | "resolve" | "second_flip";
            turnCountdownShowSec?: number;
            turnEndsAtUnixMs?: number;
            /** @enum {unknown} */
            type: "game_state";
            you: components["schemas"]["MemoryPlayer"];
            yourTurn: boolean;
        };
        MemoryHeard: components["schemas"]["MemoryError"] | components["schemas"]["MemoryWaitingForMatch"] | components["schemas"]["MemoryMatchFound"] | components["schemas"]["MemoryGameState"] | components["schemas"]["MemoryPowerUpUsed"] | components["schemas"]["MemoryTurnTimeout"] | components["schemas"]["MemoryOpponentReconnecting"] | components["schemas"]["MemoryOpponentReconnected"] | components["schemas"]["MemoryOpponentDisconnected"] | components["schemas"]["MemoryGameOver"] | components["schemas"]["MemoryPong"];
        /**
         * Holding
         * @description Copies of a power-up in one's own hand.
         */
        MemoryHolding: {
            count: number;
            powerUpId: string;
            usableCount: number;
        };
        /**
         * LeaveGame
         * @description Give the game up: the opponent wins.
         */
        MemoryLeaveGame: {
            /** @enum {unknown} */
            type: "leave_game";
        };
        /**
         * LeaveQueue
         * @description Stop waiting.
         */
        MemoryLeaveQueue: {
            /** @enum {unknown} */
            type: "leave_queue";
        };
        /**
         * MatchFound
         * @description At a table, newly or again; the first `game_state` follows.
         */
        MemoryMatchFound: {
            boardCols: number;
            boardRows: number;
            gameId: string;
            opponentName: string;
            opponentUserId: string | null;
            rejoinToken: string;
            /** @enum {unknown} */
            type: "match_found";
            yourTurn: boolean;
        };
        /**
         * OpponentDisconnected
         * @description The opponent left or stayed away: the game is won. Nothing more follows about it.
         */
        MemoryOpponentDisconnected: {
            /** @enum {unknown} */
            type: "opponent_disconnected";
        };
        /**
         * OpponentReconnected
         * @description The opponent is back.
         */
        MemoryOpponentReconnected: {
            /** @enum {unknown} */
            type: "opponent_reconnected";
        };
        /**
         * OpponentReconnecting
         * @description The opponent's connection is gone, and the game won if it is not back by then.
         */
        MemoryOpponentReconnecting: {
            reconnectionDeadlineUnixMs: number;
            /** @enum {unknown} */
            type: "opponent_reconnecting";
        };
        /**
         * Ping
         * @description Is anybody there, and what time is it?
         */
        MemoryPing: {
            /** @enum {unknown} */
            type: "ping";
        };
        /**
         * PlayAgain
         * @description Wait for an opponent again, under the same name.
         */
        MemoryPlayAgain: {
            /** @enum {unknown} */
            type: "play_again";
        };
        /**
         * Player
         * @description A player's name and points.
         */
        MemoryPlayer: {
            name: string;
            score: number;
        };
        /**
         * Pong
         * @description The answer to a ping.
         */
        MemoryPong: {
            serverTimeUnixMs: number;
            /** @enum {unknown} */
            type: "pong";
        };
        /**
         * PowerUpUsed
         * @description Somebody, perhaps oneself, used a power-up; what it did is in the `game_state` after this.
         */
        MemoryPowerUpUsed: {
            playerName: string;
            powerUpLabel: string;
            /** @enum {unknown} */
            type: "powerup_used";
        };
        /**
         * Rejoin
         * @description Come back to a game with the token that came with it; the name stays as it was.
         */
        MemoryRejoin: {
            gameId: string;
            /** @default  */
            name: string;
            rejoinToken: string;
            /** @enum {unknown} */
            type: "rejoin";
        };
        /**
         * RejoinMyGame
         * @description Come back to whatever game one is in, from any device.
         */
        MemoryRejoinMyGame: {
            /** @enum {unknown} */
            type: "rejoin_my_game";
        };
        MemorySaid: components["schemas"]["MemoryAuth"] | components["schemas"]["MemorySetName"] | components["schemas"]["MemoryPlayAgain"] | components["schemas"]["MemoryLeaveQueue"] | components["schemas"]["MemoryFlipCard"] | components["schemas"]["MemoryUsePowerUp"] | components["schemas"]["MemoryLeaveGame"] | components["schemas"]["MemoryRejoin"] | components["schemas"]["MemoryRejoinMyGame"] | components["schemas"]["MemoryPing"];
        /**
         * SetName
         * @description Play under this name: wait for an opponent.
         */
        MemorySetName: {
            name: string;
            /** @enum {unknown} */
            type: "set_name";
        };
        /**
         * TurnTimeout
         * @description The turn's time was up; whose turn it is now is in the `game_state` after this.
         */
        MemoryTurnTimeout: {
            /** @enum {unknown} */
            type: "turn_timeout";
        };
        /**
         * UsePowerUp
         * @description Use a power-up, on a card if it needs one.
         */
        MemoryUsePowerUp: {
            /** @default null */
            cardIndex: number | null;
            powerUpId: string;
            /** @enum {unknown} */
            type: "use_power_up";
        };
        /**
         * WaitingForMatch
         * @description In the queue. A bot steps in at `bot_at_unix_ms` if nobody has come by then.
         */
        MemoryWaitingForMatch: {
            botAtUnixMs?: number;
            /** @enum {unknown} */
            type: "waiting_for_match";
        };
        NotificationsHeard: components["schemas"]["NotificationsLetIn"] | components["schemas"]["NotificationsNotUnderstood"] | components["schemas"]["NotificationsNewNotification"];
        /**
         * LetIn
         * @description From now on the socket tells.
         */
        NotificationsLetIn: {
            /** @enum {unknown} */
            type: "auth_ok";
        };
        /**
         * NewNotification
         * @description What the notifications' socket says.
         */
        NotificationsNewNotification: {
            notification: components["schemas"]["NotificationsNotification"];
            total_unread_count: number;
            /** @enum {unknown} */
            type: "create.notification";
        };
        /**
         * Notification
         * @description Something a user should hear of.
         */
        NotificationsNotification: {
            created_date: string;
            id: number;
            is_read: boolean;
            notification_type: string;
            payload: Record<string, never>;
        };
        /**
         * NotUnderstood
         * @description The answer to whatever else a client says.
         */
        NotificationsNotUnderstood: {
            /** @default not_understood */
            code: string;
            /** @default This socket only tells. */
            detail: string;
            /** @enum {unknown} */
            type: "error";
        };
        /**
         * Act
         * @description Do something in a game, decided on the version one saw.
         */
        PlayAct: {
            action: unknown;
            match: string;
            /** @default null */
            ref: string | number | null;
            /** @enum {unknown} */
            type: "act";
            version: number;
        };
        /**
         * Analysed
         * @description How far the analysis of a finished game is; once it is ready it can be read.
         */
        PlayAnalysed: {
            done: number;
            match: string;
            ready: boolean;
            total: number;
            /** @enum {unknown} */
            type: "analysis";
        };
        /**
         * Auth
         * @description Who one is. Only watching needs none of it.
         */
        PlayAuth: {
            /** @default null */
            ref: string | number | null;
            token: string;
            /** @enum {unknown} */
            type: "auth";
        };
        /**
         * ClaimShown
         * @description An action by which one may claim something, and from which instant on; None: at once.
         */
        PlayClaimShown: {
            action: unknown;
            /** @default null */
            at: number | null;
        };
        /**
         * Done
         * @description What was asked for has happened, and everybody concerned was told.
         */
        PlayDone: {
            match?: string;
            /** @default null */
            ref: string | number | null;
            /** @enum {unknown} */
            type: "done";
            version?: number;
        };
        /**
         * Error
         * @description What one said was not done.
         */
        PlayError: {
            code: string;
            field?: string;
            match?: string | null;
            message: string;
            ref?: string | number | null;
            /** @enum {unknown} */
            type: "error";
        };
        PlayHeard: components["schemas"]["PlayTable"] | components["schemas"]["PlayStepped"] | components["schemas"]["PlayPresence"] | components["schemas"]["PlayRematchOffer"] | components["schemas"]["PlayHintGiven"] | components["schemas"]["PlayAnalysed"] | components["schemas"]["PlayLeft"] | components["schemas"]["PlayWelcome"] | components["schemas"]["PlaySeeking"] | components["schemas"]["PlayInvitation"] | components["schemas"]["PlayDone"] | components["schemas"]["PlayPong"] | components["schemas"]["PlayError"];
        /**
         * Hint
         * @description What could be done now: in a game of practice against the computer.
         */
        PlayHint: {
            match: string;
            /** @default null */
            ref: string | number | null;
            /** @enum {unknown} */
            type: "hint";
        };
        /**
         * HintGiven
         * @description What one could do, at a version.
         */
        PlayHintGiven: {
            action: unknown;
            exact: boolean;
            match: string;
            note: string;
            ref?: string | number | null;
            /** @enum {unknown} */
            type: "hint";
            value: number;
            version: number;
        };
        /**
         * Invitation
         * @description Somebody wants to play: `join` it, or `withdraw` from it.
         */
        PlayInvitation: {
            by: components["schemas"]["PlayUser"];
            code: string;
            game: string;
            match: string;
            /** @enum {unknown} */
            type: "invitation";
        };
        /**
         * Invite
         * @description A table of one's own, and word of it to somebody by name or id.
         */
        PlayInvite: {
            game: string;
            options?: unknown;
            /** @default null */
            ref: string | number | null;
            /** @enum {unknown} */
            type: "invite";
            user: string;
        };
        /**
         * Join
         * @description Sit down: at the table of this code, at one that waits, or again at one's own.
         */
        PlayJoin: {
            /** @default null */
            code: string | null;
            /** @default null */
            game: string | null;
            /** @default null */
            match: string | null;
            /** @default null */
            ref: string | number | null;
            /** @default false */
            take: boolean;
            /** @enum {unknown} */
            type: "join";
        };
        /**
         * Left
         * @description One is told no more of this table.
         */
        PlayLeft: {
            match: string;
            ref?: string | number | null;
            /** @enum {unknown} */
            type: "left";
            /** @enum {unknown} */
            why: "answered" | "closed" | "declined" | "taken_over" | "unwatched";
        };
        /**
         * Open
         * @description A table of one's own, for whoever has its code; or for two at one device.
         */
        PlayOpen: {
            game: string;
            /** @default false */
            local: boolean;
            options?: unknown;
            /** @default null */
            ref: string | number | null;
            /** @enum {unknown} */
            type: "open";
        };
        /**
         * Ping
         * @description Is anybody there?
         */
        PlayPing: {
            /** @default null */
            ref: string | number | null;
            /** @enum {unknown} */
            type: "ping";
        };
        /**
         * PlayBot
         * @description Play the computer, at once.
         */
        PlayPlayBot: {
            bot: string;
            game: string;
            options?: unknown;
            /** @default null */
            ref: string | number | null;
            /** @default null */
            seat: (0 | 1) | null;
            /** @enum {unknown} */
            type: "play_bot";
        };
        /**
         * PlayerShown
         * @description Who sits where.
         */
        PlayPlayerShown: {
            /** @default null */
            bot: string | null;
            /** @default false */
            here: boolean;
            name: string;
            /** @default null */
            rating: number | null;
            /** @default null */
            user_id: string | null;
        };
        /**
         * PlayOn
         * @description Play the computer from a position of a finished game.
         */
        PlayPlayOn: {
            /** @default null */
            bot: string | null;
            match: string;
            /** @default null */
            ref: string | number | null;
            /** @default null */
            seat: (0 | 1) | null;
            /** @enum {unknown} */
            type: "play_on";
            version: number;
        };
        /**
         * Pong
         * @description Yes.
         */
        PlayPong: {
            now: number;
            ref?: string | number | null;
            /** @enum {unknown} */
            type: "pong";
        };
        /**
         * Presence
         * @description Somebody came or went.
         */
        PlayPresence: {
            /** @default [] */
            claims: components["schemas"]["PlayClaimShown"][];
            here: [
                boolean,
                boolean
            ];
            match: string;
            now: number;
            /** @enum {unknown} */
            type: "presence";
        };
        /**
         * Rematch
         * @description Another game with the same opponent, once both want it.
         */
        PlayRematch: {
            match: string;
            /** @default null */
            ref: string | number | null;
            /** @enum {unknown} */
            type: "rematch";
        };
        /**
         * RematchOffer
         * @description Somebody wants another game; with `next` both do, and its table follows.
         */
        PlayRematchOffer: {
            /** @default null */
            by: number | null;
            match: string;
            /** @default null */
            next: string | null;
            /** @enum {unknown} */
            type: "rematch";
        };
        /**
         * Resign
         * @description Give up.
         */
        PlayResign: {
            match: string;
            /** @default null */
            ref: string | number | null;
            /** @enum {unknown} */
            type: "resign";
        };
        /**
         * Result
         * @description How a game ended.
         */
        PlayResult: {
            /**
             * @default [
             *       null,
             *       null
             *     ]
             */
            rating_changes: [
                number | null,
                number | null
            ];
            reason: string;
            /** @default null */
            scores: [
                number,
                number
            ] | null;
            winner: number | null;
        };
        PlaySaid: components["schemas"]["PlayAuth"] | components["schemas"]["PlaySeek"] | components["schemas"]["PlayOpen"] | components["schemas"]["PlayInvite"] | components["schemas"]["PlayPlayBot"] | components["schemas"]["PlayJoin"] | components["schemas"]["PlayWithdraw"] | components["schemas"]["PlayWatch"] | components["schemas"]["PlayUnwatch"] | components["schemas"]["PlayAct"] | components["schemas"]["PlayResign"] | components["schemas"]["PlayHint"] | components["schemas"]["PlayTakeback"] | components["schemas"]["PlayPlayOn"] | components["schemas"]["PlayRematch"] | components["schemas"]["PlayPing"];
        /**
         * Seek
         * @description Play anybody who seeks this game, too.
         */
        PlaySeek: {
            game: string;
            /** @default null */
            ref: string | number | null;
            /** @enum {unknown} */
            type: "seek";
        };
        /**
         * Seeking
         * @description One waits for an opponent; the table follows.
         */
        PlaySeeking: {
            /** @default null */
            bot_at: number | null;
            game: string;
            now: number;
            ref?: string | number | null;
            /** @enum {unknown} */
            type: "seeking";
        };
        /**
         * Stepped
         * @description A game moved on.
         */
        PlayStepped: {
            /** @default null */
            action: unknown;
            /** @default null */
            by: number | null;
            /** @default [] */
            claims: components["schemas"]["PlayClaimShown"][];
            /** @default null */
            deadline_at: number | null;
            /** @default [] */
            events: unknown[];
            kind: string;
            /** @default [] */
            legal: unknown[];
            match: string;
            now: number;
            /** @default null */
            result: components["schemas"]["PlayResult"] | null;
            /** @enum {unknown} */
            status: "active" | "cancelled" | "expired" | "finished" | "waiting";
            /** @default null */
            turn: number | null;
            /** @enum {unknown} */
            type: "step";
            version: number;
            /** @default null */
            view: unknown;
        };
        /**
         * Table
         * @description All that is needed to draw a table.
         */
        PlayTable: {
            /** @default [] */
            claims: components["schemas"]["PlayClaimShown"][];
            /** @default null */
            code: string | null;
            /** @default null */
            deadline_at: number | null;
            game: string;
            /** @default [] */
            help: ("hint" | "takeback")[];
            /** @default [] */
            legal: unknown[];
            match: string;
            mode: string;
            /** @default null */
            next_match: string | null;
            now: number;
            options: unknown;
            /** @default [] */
            players: components["schemas"]["PlayPlayerShown"][];
            public_id: string;
            ref?: string | number | null;
            /** @default null */
            rematch_by: number | null;
            /** @default null */
            result: components["schemas"]["PlayResult"] | null;
            /** @default null */
            seat: number | null;
            /** @default [] */
            seats: number[];
            /** @enum {unknown} */
            status: "active" | "cancelled" | "expired" | "finished" | "waiting";
            /** @default null */
            turn: number | null;
            /** @enum {unknown} */
            type: "table";
            version: number;
            /** @default null */
            view: unknown;
        };
        /**
         * Takeback
         * @description Back to before one's own last move: in a game of practice against the computer.
         */
        PlayTakeback: {
            match: string;
            /** @default null */
            ref: string | number | null;
            /** @enum {unknown} */
            type: "takeback";
        };
        /**
         * Unwatch
         * @description Be told no more of a table. Who sat there has gone from it.
         */
        PlayUnwatch: {
            match: string;
            /** @default null */
            ref: string | number | null;
            /** @enum {unknown} */
            type: "unwatch";
        };
        /**
         * User
         * @description Somebody with an account, which a guest has too.
         */
        PlayUser: {
            id: string;
            username: string;
        };
        /**
         * Watch
         * @description Be told of a table as somebody who does not sit there.
         */
        PlayWatch: {
            match: string;
            /** @default null */
            ref: string | number | null;
            /** @enum {unknown} */
            type: "watch";
        };
        /**
         * Welcome
         * @description The token was good.
         */
        PlayWelcome: {
            ref?: string | number | null;
            /** @enum {unknown} */
            type: "welcome";
            user: components["schemas"]["PlayUser"];
        };
        /**
         * Withdraw
         * @description No longer seek this game, or wait at this table; or decline the invitation to it.
         *
         *     At a table where the game is over: no longer want another one.
         */
        PlayWithdraw: {
            /** @default null */
            game: string | null;
            /** @default null */
            match: string | null;
            /** @default null */
            ref: string | number | null;
            /** @enum {unknown} */
            type: "withdraw";
        };
        /**
         * Auth
         * @description Who the player is; without it the game counts for nobody.
         */
        QuartoAuth: {
            token: string;
            /** @enum {unknown} */
            type: "auth";
        };
        /**
         * Board
         * @description Sixteen positions, row by row: a piece, or none.
         */
        QuartoBoard: {
            positions: (number | null)[];
        };
        /**
         * CallQuarto
         * @description Claim the win.
         */
        QuartoCallQuarto: {
            /** @enum {unknown} */
            type: "CALL_QUARTO";
        };
        /**
         * CreateRoom
         * @description The host opens the room, for a friend, for two at one device, or for a bot.
         */
        QuartoCreateRoom: {
            /** @default null */
            opponent: string | null;
            playerName: string;
            /** @enum {unknown} */
            type: "CREATE_ROOM";
        };
        /**
         * Deadlines
         * @description To those who sent `WATCH`: what is waited for, and until when.
         */
        QuartoDeadlines: {
            away: [
                number | null,
                number | null
            ];
            finalCall: number | null;
            now: number;
            /** @enum {unknown} */
            type: "DEADLINES";
        };
        /**
         * Error
         * @description To the sender alone.
         */
        QuartoError: {
            code: string;
            message: string;
            /** @enum {unknown} */
            type: "ERROR";
        };
        /**
         * Game
         * @description All there is to see.
         */
        QuartoGame: {
            availablePieces: number[];
            board: components["schemas"]["QuartoBoard"];
            createdAt: number;
            currentTurn: number;
            history: components["schemas"]["QuartoHistoryEntry"][];
            id: string;
            mode: string;
            /** @enum {unknown} */
            phase: "placing" | "selecting";
            players: components["schemas"]["QuartoPlayer"][];
            selectedPiece: number | null;
            /** @enum {unknown} */
            status: "finished" | "playing" | "waiting";
            updatedAt: number;
            winner: number | "draw" | null;
            winningLine: [
                number,
                number,
                number,
                number
            ] | null;
        };
        /**
         * GameOver
         * @description To everyone, after the last state.
         */
        QuartoGameOver: {
            game: components["schemas"]["QuartoGame"];
            /** @enum {unknown} */
            type: "GAME_OVER";
            winner: number | "draw" | null;
            winnerId: string | null;
            winningPositions: [
                number,
                number,
                number,
                number
            ] | null;
        };
        QuartoHeard: components["schemas"]["QuartoRoomCreated"] | components["schemas"]["QuartoRoomJoined"] | components["schemas"]["QuartoPlayerJoined"] | components["schemas"]["QuartoStateUpdate"] | components["schemas"]["QuartoPlayerLeft"] | components["schemas"]["QuartoGameOver"] | components["schemas"]["QuartoRematchRequested"] | components["schemas"]["QuartoRematchWithdrawn"] | components["schemas"]["QuartoPresence"] | components["schemas"]["QuartoDeadlines"] | components["schemas"]["QuartoPong"] | components["schemas"]["QuartoError"];
        /**
         * HistoryEntry
         * @description One thing that was done.
         */
        QuartoHistoryEntry: {
            pieceId?: number;
            player: number;
            position?: number;
            timestamp: number;
            /** @enum {unknown} */
            type: "place" | "quarto" | "select";
        };
        /**
         * JoinRoom
         * @description The guest sits down.
         */
        QuartoJoinRoom: {
            playerName: string;
            /** @enum {unknown} */
            type: "JOIN_ROOM";
        };
        /**
         * LeaveRoom
         * @description Give up.
         */
        QuartoLeaveRoom: {
            /** @enum {unknown} */
            type: "LEAVE_ROOM";
        };
        /**
         * Ping
         * @description Are you there?
         */
        QuartoPing: {
            /** @enum {unknown} */
            type: "ping";
        };
        /**
         * PlacePiece
         * @description Put down the piece that was handed over.
         */
        QuartoPlacePiece: {
            position: number;
            /** @enum {unknown} */
            type: "PLACE_PIECE";
        };
        /**
         * Player
         * @description Who sits at one side.
         */
        QuartoPlayer: {
            id: string;
            name: string;
            /** @enum {unknown} */
            type: "ai" | "human-local" | "human-remote";
        };
        /**
         * PlayerJoined
         * @description To the host: somebody came.
         */
        QuartoPlayerJoined: {
            game: components["schemas"]["QuartoGame"];
            playerName: string;
            /** @enum {unknown} */
            type: "PLAYER_JOINED";
        };
        /**
         * PlayerLeft
         * @description To the others: somebody is gone, for a while or for good.
         */
        QuartoPlayerLeft: {
            /** @enum {unknown} */
            reason: "disconnect" | "forfeit" | "timeout";
            /** @enum {unknown} */
            type: "PLAYER_LEFT";
        };
        /**
         * Pong
         * @description I am.
         */
        QuartoPong: {
            /** @enum {unknown} */
            type: "pong";
        };
        /**
         * Presence
         * @description To those who sent `WATCH`, once a game is over: who is still in the room.
         */
        QuartoPresence: {
            here: [
                boolean,
                boolean
            ];
            /** @enum {unknown} */
            type: "PRESENCE";
        };
        /**
         * Reconnect
         * @description Take one's seat again.
         */
        QuartoReconnect: {
            playerId: string;
            /** @enum {unknown} */
            type: "RECONNECT";
        };
        /**
         * Rematch
         * @description Another game in the same room.
         */
        QuartoRematch: {
            /** @enum {unknown} */
            type: "REMATCH";
        };
        /**
         * RematchRequested
         * @description To everyone: that player would like another game.
         */
        QuartoRematchRequested: {
            player: number;
            /** @enum {unknown} */
            type: "REMATCH_REQUESTED";
        };
        /**
         * RematchWithdrawn
         * @description To everyone: nobody wants another game any more.
         */
        QuartoRematchWithdrawn: {
            /** @enum {unknown} */
            type: "REMATCH_WITHDRAWN";
        };
        /**
         * RoomCreated
         * @description To the host, when the room is made and when the host returns.
         */
        QuartoRoomCreated: {
            playerId: string;
            roomId: string;
            /** @enum {unknown} */
            type: "ROOM_CREATED";
        };
        /**
         * RoomJoined
         * @description To the guest, on sitting down and on returning.
         */
        QuartoRoomJoined: {
            game: components["schemas"]["QuartoGame"];
            playerId: string;
            /** @enum {unknown} */
            type: "ROOM_JOINED";
        };
        QuartoSaid: components["schemas"]["QuartoCreateRoom"] | components["schemas"]["QuartoJoinRoom"] | components["schemas"]["QuartoSelectPiece"] | components["schemas"]["QuartoPlacePiece"] | components["schemas"]["QuartoCallQuarto"] | components["schemas"]["QuartoLeaveRoom"] | components["schemas"]["QuartoReconnect"] | components["schemas"]["QuartoRematch"] | components["schemas"]["QuartoWithdrawRematch"] | components["schemas"]["QuartoWatch"] | components["schemas"]["QuartoPing"] | components["schemas"]["QuartoAuth"];
        /**
         * SelectPiece
         * @description Hand over a piece.
         */
        QuartoSelectPiece: {
            pieceId: number;
            /** @enum {unknown} */
            type: "SELECT_PIECE";
        };
        /**
         * StateUpdate
         * @description To everyone, after everything.
         */
        QuartoStateUpdate: {
            game: components["schemas"]["QuartoGame"];
            /** @enum {unknown} */
            type: "STATE_UPDATE";
        };
        /**
         * Watch
         * @description Show me the game as it stands, and from now on what time is running out.
         */
        QuartoWatch: {
            /** @enum {unknown} */
            type: "WATCH";
        };
        /**
         * WithdrawRematch
         * @description No other game after all.
         */
        QuartoWithdrawRematch: {
            /** @enum {unknown} */
            type: "WITHDRAW_REMATCH";
        };
        ReversiAction: components["schemas"]["ReversiPlace"] | components["schemas"]["ReversiResign"];
        /**
         * Place
         * @description Put a disc on a cell, counted from 0 row by row.
         */
        ReversiPlace: {
            cell: number;
            /** @enum {unknown} */
            type: "place";
        };
        /**
         * Resign
         * @description Give up.
         */
        ReversiResign: {
            /** @enum {unknown} */
            type: "resign";
        };
        ReversiShown: components["schemas"]["ReversiView"];
        /**
         * View
         * @description What everybody sees.
         */
        ReversiView: {
            away_until: [
                number | null,
                number | null
            ];
            cells: string;
            counts: [
                number,
                number
            ];
            last: number | null;
            may_place: number[];
            seat: number | null;
            turn: number | null;
        };
        /**
         * Currency
         * @description What money is called.
         */
        WalletCurrency: {
            id: number;
            ticker: string;
        };
        WalletHeard: components["schemas"]["WalletLetIn"] | components["schemas"]["WalletNotUnderstood"] | components["schemas"]["WalletWalletUpdate"];
        /**
         * LetIn
         * @description From now on the socket tells.
         */
        WalletLetIn: {
            /** @enum {unknown} */
            type: "auth_ok";
        };
        /**
         * NotUnderstood
         * @description The answer to whatever else a client says.
         */
        WalletNotUnderstood: {
            /** @default not_understood */
            code: string;
            /** @default This socket only tells. */
            detail: string;
            /** @enum {unknown} */
            type: "error";
        };
        /**
         * OwnWallet
         * @description What a user has, and since when.
         */
        WalletOwnWallet: {
            balance: number;
            created_date: string;
            currency: components["schemas"]["WalletCurrency"];
            id: number;
            modified_date: string;
            owner: number;
        };
        /**
         * WalletUpdate
         * @description What the wallet's socket says.
         */
        WalletWalletUpdate: {
            /** @enum {unknown} */
            type: "update.wallet";
            wallet: components["schemas"]["WalletOwnWallet"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
