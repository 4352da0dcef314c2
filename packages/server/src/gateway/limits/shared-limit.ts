/** What this process has taken ahead of a limit that it shares with other processes. */
export type SharedLimit = {
  /** Gives back what has been idle; to be called every 2 s. */
  tick(): void;
  /** Gives everything back. Never throws: what cannot be written is free again after a while. */
  stop(): Promise<void>;
};
