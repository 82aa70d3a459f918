// What the user has, and how it came to that: fetched once, then told by a socket of its own.
import {
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { api } from "./api";
import { useMe } from "./me";
import type { components } from "./openapi.gen";
import { amend, refresh } from "./refresh";
import { useSession } from "./session";
import type { components as sockets } from "./sockets.gen";
import { useLive } from "./use-live";

export type Wallet = components["schemas"]["Wallet"];
export type WalletEntry = components["schemas"]["WalletEntry"];
type WalletPage = components["schemas"]["WalletPage"];
type Heard = sockets["schemas"]["WalletHeard"];
type Told = sockets["schemas"]["WalletOwnWallet"];

const WALLET = ["wallet"] as const;
const ENTRIES = ["wallet-entries"] as const;
const PAGE_SIZE = 50;

export function useWallet(): Wallet | undefined {
  const signedIn = useSession() !== null;
  return useQuery({
    queryKey: WALLET,
    queryFn: ({ signal }) => api.get<Wallet>("/api/wallet", { signal }),
    enabled: signedIn,
  }).data;
}

export function useWalletEntries() {
  return useInfiniteQuery({
    queryKey: ENTRIES,
    queryFn: ({ signal, pageParam }) =>
      api.get<WalletPage>(`/api/wallet/entries?page=${pageParam}&page_size=${PAGE_SIZE}`, {
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: (last, _, page) => (last.next === null ? undefined : page + 1),
  });
}

/** The socket says more of a wallet than is shown of it. */
const holdWallet = (queries: QueryClient, { balance, currency }: Told): void =>
  amend<Wallet>(queries, WALLET, () => ({ balance, currency: currency.ticker }));

/** Stands once on a page that shows money. */
export function useWalletLive(): void {
  const me = useMe();
  const queries = useQueryClient();
  useLive({
    path: me ? `/ws/wallet/${me.id}` : null,
    hear: (message) => {
      const heard = message as Heard;
      if (heard.type === "update.wallet") holdWallet(queries, heard.wallet);
      // Let in, again perhaps: whatever changed before that was not told.
      if (heard.type === "auth_ok") void refresh(queries, WALLET);
      if (heard.type !== "error") void refresh(queries, ENTRIES);
    },
  });
}
