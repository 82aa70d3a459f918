// Google sign-in through Firebase. Only `session.ts` loads this, and only when the server asks for it.
import { FirebaseError, initializeApp } from "@firebase/app";
import {
  browserPopupRedirectResolver,
  GoogleAuthProvider,
  indexedDBLocalPersistence,
  initializeAuth,
  signInWithPopup,
} from "@firebase/auth";
import type { FirebaseConfig } from "./wire";

export interface Firebase {
  token: () => Promise<string | null>;
  /** False when the visitor closed Google's window. */
  signIn: () => Promise<boolean>;
  signOut: () => Promise<void>;
}

const CHANGED_THEIR_MIND = new Set(["auth/popup-closed-by-user", "auth/cancelled-popup-request"]);

let opened: Firebase | null = null;

export function openFirebase(config: FirebaseConfig): Firebase {
  if (opened) return opened;
  const auth = initializeAuth(initializeApp(config), {
    persistence: indexedDBLocalPersistence,
    popupRedirectResolver: browserPopupRedirectResolver,
  });
  opened = {
    token: async () => {
      await auth.authStateReady();
      return (await auth.currentUser?.getIdToken()) ?? null;
    },
    signIn: async () => {
      try {
        await signInWithPopup(auth, new GoogleAuthProvider());
        return true;
      } catch (error) {
        if (error instanceof FirebaseError && CHANGED_THEIR_MIND.has(error.code)) return false;
        throw error;
      }
    },
    signOut: () => auth.signOut(),
  };
  return opened;
}
