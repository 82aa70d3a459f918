// An invitation as a notification brings it. Small, since the shelf needs it.
import type { Notification, PlayInvitation } from "@/core/wire";

export function invitationIn(notification: Notification): PlayInvitation | null {
  const { notification_type, payload } = notification;
  // Its payload is what the socket says of it.
  return notification_type === "INVITATION" ? (payload as unknown as PlayInvitation) : null;
}
