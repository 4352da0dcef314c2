import type { Clock } from "../../../platform/core/clock.ts";
import type { LogLine } from "../provider.ts";

const MAX_LINES = 1_000;
const MAX_LINE_LENGTH = 2_000;

type Follower = { onLine(line: LogLine): void; onEnd(): void };

/** Creates the buffer that keeps the last lines of each deployment in memory. */
export function createLogBuffer(clock: Clock) {
  const linesById = new Map<string, LogLine[]>();
  const followers = new Map<string, Set<Follower>>();
  return {
    add(id: string, replica: string, text: string): void {
      const line = { logged_at: clock.now().toISOString(), replica, text: text.slice(0, MAX_LINE_LENGTH) };
      const lines = linesById.get(id) ?? [];
      lines.push(line);
      if (lines.length > MAX_LINES) lines.splice(0, lines.length - MAX_LINES);
      linesById.set(id, lines);
      for (const follower of followers.get(id) ?? []) follower.onLine(line);
    },
    tail: (id: string, count: number): LogLine[] => (linesById.get(id) ?? []).slice(-count),
    /** Calls `onLine` for each new line and `onEnd` after the last one. Returns a function that unsubscribes. */
    follow(id: string, onLine: (line: LogLine) => void, onEnd: () => void): () => void {
      const follower = { onLine, onEnd };
      const deploymentFollowers = followers.get(id) ?? new Set();
      deploymentFollowers.add(follower);
      followers.set(id, deploymentFollowers);
      return () => {
        deploymentFollowers.delete(follower);
        if (deploymentFollowers.size === 0) followers.delete(id);
      };
    },
    remove(id: string): void {
      linesById.delete(id);
      for (const { onEnd } of followers.get(id) ?? []) onEnd();
    },
  };
}

/** The buffer of the last lines of each deployment. */
export type LogBuffer = ReturnType<typeof createLogBuffer>;
