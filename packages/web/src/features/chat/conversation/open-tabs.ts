/** The tabs of this browser that have a user's chat open. */
export type OpenTabs = {
  /** The id of this tab; null if the browser cannot list open tabs. */
  ownId: string | null;
  /** Returns the ids of all open tabs; null if the browser cannot list them. */
  listIds(): Promise<ReadonlySet<string> | null>;
  close(): void;
};

type Locks = Pick<LockManager, "request" | "query">;

const UNSUPPORTED: OpenTabs = { ownId: null, listIds: async () => null, close: () => {} };

/** Registers this tab with a lock that it holds until it is closed; the browser releases it even after a crash. */
export async function registerTab(locks: Locks | undefined, owner: string, id: string): Promise<OpenTabs> {
  if (!locks) return UNSUPPORTED;
  const prefix = `feather-chat-${owner}-`;
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  await new Promise<void>((resolveRequest) => {
    locks
      .request(`${prefix}${id}`, () => {
        resolveRequest();
        return closed;
      })
      .catch(() => resolveRequest());
  });
  return {
    ownId: id,
    async listIds() {
      const { held: heldLocks = [] } = await locks.query();
      const names = heldLocks.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : []));
      // If this tab's own lock is missing, the browser does not support the list.
      return names.includes(id) ? new Set(names) : null;
    },
    close,
  };
}
