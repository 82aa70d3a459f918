// The invitations to a game that wait for an answer: told by the socket, or opened from the bell.
import { useState } from "react";
import { useLocation } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { useMarkDealtWith } from "@/core/notifications";
import type { PlayInvitation } from "@/core/wire";
import { invitationIn } from "./invitation";
import type { Play } from "./use-play";

export function useInvitations(game: string, play: Play) {
  const opened = useHistoryState<{ invitation?: PlayInvitation } | null>()?.invitation;
  const [answered, setAnswered] = useState<readonly string[]>([]);
  const dealtWith = useMarkDealtWith();
  const [here, go] = useLocation();
  const told = play.held.invitations.filter((each) => each.match !== opened?.match);
  const all = opened ? [opened, ...told] : told;
  const answer = (match: string) => {
    setAnswered([...answered, match]);
    dealtWith((notification) => invitationIn(notification)?.match === match);
  };
  return {
    invitations: all.filter((each) => each.game === game && !answered.includes(each.match)),
    accept: answer,
    decline: (match: string) => {
      answer(match);
      // The browser remembers what came from the bell, even when the page is loaded again.
      if (match === opened?.match) go(here, { replace: true });
      play.decline(match);
    },
  };
}
