/** The tabs of this browser that have the chat of a person open. */
export type OpenTabs = {
  /** The id of this tab; null where the browser cannot tell which tabs are open. */
  own: string | null;
  /** The ids of all that are open now; null where that cannot be told. */
  all(): Promise<ReadonlySet<string> | null>;
  close(): void;
};

type Locks = Pick<LockManager, "request" | "query">;

const NO_TABS: OpenTabs = { own: null, all: async () => null, close: () => {} };

/** Counts this tab among those that are open. It holds a lock as long as it lives: the browser itself lets go of it. */
export async function joinTabs(locks: Locks | undefined, owner: string, id: string): Promise<OpenTabs> {
  if (!locks) return NO_TABS;
  const prefix = `feather-chat-${owner}-`;
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  await new Promise<void>((granted) => {
    locks
      .request(`${prefix}${id}`, () => {
        granted();
        return closed;
      })
      .catch(() => granted());
  });
  return {
    own: id,
    async all() {
      const { held = [] } = await locks.query();
      const names = held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : []));
      // Without this tab's own lock the browser keeps none: who holds one cannot be told.
      return names.includes(id) ? new Set(names) : null;
    },
    close,
  };
}
