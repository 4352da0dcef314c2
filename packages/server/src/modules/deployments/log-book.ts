import type { Clock } from "../../shared/clock.ts";
import type { LogLine } from "./provider.ts";

const KEPT = 1_000;
const LONGEST = 2_000;

/** The last lines of each deployment, in memory. */
export function createLogBook(clock: Clock) {
  const books = new Map<string, LogLine[]>();
  const followers = new Map<string, Set<(line: LogLine) => void>>();
  return {
    add(id: string, replica: string, text: string): void {
      const line = { logged_at: clock.now().toISOString(), replica, text: text.slice(0, LONGEST) };
      const lines = books.get(id) ?? [];
      lines.push(line);
      if (lines.length > KEPT) lines.splice(0, lines.length - KEPT);
      books.set(id, lines);
      for (const tell of followers.get(id) ?? []) tell(line);
    },
    last: (id: string, count: number): LogLine[] => (books.get(id) ?? []).slice(-count),
    follow(id: string, tell: (line: LogLine) => void): () => void {
      const all = followers.get(id) ?? new Set();
      all.add(tell);
      followers.set(id, all);
      return () => {
        all.delete(tell);
        if (all.size === 0) followers.delete(id);
      };
    },
    forget: (id: string): void => void books.delete(id),
  };
}
