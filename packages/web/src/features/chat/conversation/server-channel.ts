import type { ChangeMessage, Channel } from "./conversations.ts";
import type { ServerStore } from "./store/server-store.ts";

/** How often changes of other devices are fetched while the page is visible. */
const INTERVAL_MS = 20_000;

/** Calls `look` when the page is seen again, and at intervals while it is. Returns a function that ends it. */
export type WatchPage = (look: () => void) => () => void;

/** Watches this page. */
export const watchPage: WatchPage = (look) => {
  const lookIfVisible = () => {
    if (document.visibilityState === "visible") look();
  };
  const timer = setInterval(lookIfVisible, INTERVAL_MS);
  document.addEventListener("visibilitychange", lookIfVisible);
  window.addEventListener("online", lookIfVisible);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", lookIfVisible);
    window.removeEventListener("online", lookIfVisible);
  };
};

/** Returns a channel on which the tabs of this browser announce changes, and this tab those that other devices made. */
export function createServerChannel(store: Pick<ServerStore, "sync">, tabs: Channel | null, watch: WatchPage): Channel {
  const listeners = new Set<(event: MessageEvent<ChangeMessage>) => void>();
  async function look(): Promise<void> {
    const changed = await store.sync().catch(() => []);
    for (const conversation of changed)
      for (const listener of listeners)
        listener(new MessageEvent("message", { data: { conversation, changed: "entries" } }));
  }
  const stopWatching = watch(() => void look());
  return {
    postMessage: (message: ChangeMessage) => tabs?.postMessage(message),
    addEventListener(type: "message", listener: (event: MessageEvent<ChangeMessage>) => void) {
      listeners.add(listener);
      tabs?.addEventListener(type, listener);
    },
    close() {
      stopWatching();
      tabs?.close();
    },
  };
}
