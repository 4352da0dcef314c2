/** Controls when the answers of a table arrive, and whether they arrive at all. */
export type TableControl = {
  /** Withholds the answers of the following calls until `release`. */
  hold(): void;
  release(): void;
  /** Makes the next call fail, before or after it has changed the table. */
  failNext(when: "before" | "after"): void;
  /** Returns the number of calls that have not been answered. */
  running(): number;
};

type Table = Readonly<Record<string, (...input: never[]) => Promise<unknown>>>;

/** Returns the table, with answers that the test controls. */
export function controlTable<T extends Table>(table: T): { table: T; control: TableControl } {
  let gate: PromiseWithResolvers<void> | null = null;
  let failure: "before" | "after" | null = null;
  let running = 0;
  const wrap =
    (call: (...input: never[]) => Promise<unknown>) =>
    async (...input: never[]) => {
      const fails = failure;
      failure = null;
      if (fails === "before") throw new Error("Connection terminated");
      running += 1;
      const answer = await call(...input).finally(() => {
        running -= 1;
      });
      await gate?.promise;
      if (fails === "after") throw new Error("Connection terminated");
      return answer;
    };
  const wrapped = Object.fromEntries(Object.entries(table).map(([name, call]) => [name, wrap(call)]));
  const control: TableControl = {
    hold() {
      gate ??= Promise.withResolvers();
    },
    release() {
      gate?.resolve();
      gate = null;
    },
    failNext(when) {
      failure = when;
    },
    running: () => running,
  };
  return { table: wrapped as T, control };
}

/** Resolves when all calls to the tables are answered and start no further calls. */
export async function waitUntilQuiet(controls: readonly TableControl[]): Promise<void> {
  for (let quiet = 0; quiet < 3; quiet++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (controls.some(({ running }) => running() > 0)) quiet = -1;
  }
}
