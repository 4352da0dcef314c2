/** The part of a shared limit that this process has reserved in advance. */
export type SharedLimit = {
  /** Returns idle reservations; must be called every 2 s. */
  tick(): void;
  /** Returns all reservations. Never throws: reservations that cannot be returned expire. */
  stop(): Promise<void>;
};
