import type { Clock } from "../../shared/clock.ts";
import type { LogLine } from "./provider.ts";

const KEPT = 1_000;
const LONGEST = 2_000;

type Follower = { tell(line: LogLine): void; ended(): void };

/** Keeps the last lines of each deployment in memory. */
export function createLogBook(clock: Clock) {
  const books = new Map<string, LogLine[]>();
  const followers = new Map<string, Set<Follower>>();
  return {
    add(id: string, replica: string, text: string): void {
      const line = { logged_at: clock.now().toISOString(), replica, text: text.slice(0, LONGEST) };
      const lines = books.get(id) ?? [];
      lines.push(line);
      if (lines.length > KEPT) lines.splice(0, lines.length - KEPT);
      books.set(id, lines);
      for (const follower of followers.get(id) ?? []) follower.tell(line);
    },
    last: (id: string, count: number): LogLine[] => (books.get(id) ?? []).slice(-count),
    /** Calls `onLine` for each new line and `onEnd` after the last one. Returns a function that unsubscribes. */
    follow(id: string, tell: (line: LogLine) => void, ended: () => void): () => void {
      const follower = { tell, ended };
      const all = followers.get(id) ?? new Set();
      all.add(follower);
      followers.set(id, all);
      return () => {
        all.delete(follower);
        if (all.size === 0) followers.delete(id);
      };
    },
    forget(id: string): void {
      books.delete(id);
      for (const { ended } of followers.get(id) ?? []) ended();
    },
  };
}
