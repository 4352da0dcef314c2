import { describe, expect, test } from "vitest";
import type { AppError } from "../../platform/core/errors/index.ts";
import { createParseQueue } from "../../platform/core/parse-pool.ts";
import { createReadDocument } from "./read-document.ts";
import type { readInProcess } from "./reader-process.ts";
import type { Outcome } from "./reading/outcome.ts";

const SETTINGS = {
  megabytes: 1,
  pages: 10,
  characters: 100,
  seconds: 5,
  memoryMegabytes: 256,
  unpackedMegabytes: 1,
};
const READ: Outcome = { contents: { type: "text/plain", text: "words", pages: null, pagesRead: null, cut_at: null } };
const FILE = new File(["words"], "a.txt");
const never = () => new AbortController().signal;

/** Creates the use case with a reader that waits until `finish` is called, and the names of the users whose file is being read. */
function setUp(limits = { maxThreads: 2, maxWaitingOfAccount: 1, maxWaiting: 1 }) {
  const begun: string[] = [];
  const gate = Promise.withResolvers<Outcome>();
  const read: typeof readInProcess = (_bytes, name) => {
    begun.push(name);
    return gate.promise;
  };
  const readDocument = createReadDocument({ settings: SETTINGS, takeTurn: createParseQueue(limits), read });
  const ask = (userId: string, signal = never()) =>
    readDocument({ file: new File(["words"], `${userId}.txt`), userId, signal });
  return { ask, begun, finish: () => gate.resolve(READ) };
}

const refusalOf = (reading: Promise<unknown>) =>
  reading.then(
    () => null,
    ({ status, code, headers }: AppError) => [status, code, headers["retry-after"]],
  );
/** Lets what has been asked for reach the queue. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("documents that are read at the same time", () => {
  test("one of each person is read, and two of all", async () => {
    const { ask, begun, finish } = setUp();
    const readings = [ask("ada"), ask("ada"), ask("bob"), ask("cyd")];
    await settle();
    expect(begun).toEqual(["ada.txt", "bob.txt"]);
    finish();
    expect(await Promise.all(readings)).toHaveLength(4);
    expect(begun.toSorted()).toEqual(["ada.txt", "ada.txt", "bob.txt", "cyd.txt"]);
  });

  test("a person with too many that wait is refused with 429 and told when to come back", async () => {
    const { ask, finish } = setUp();
    const readings = [ask("ada"), ask("ada")];
    await settle();
    expect(await refusalOf(ask("ada"))).toEqual([429, "parsing.busy", "5"]);
    finish();
    await Promise.all(readings);
    expect(await refusalOf(ask("ada"))).toBeNull();
  });

  test("where too many people wait the next is refused with 503 and told when to come back", async () => {
    const { ask, finish } = setUp();
    const readings = [ask("ada"), ask("bob"), ask("cyd")];
    await settle();
    expect(await refusalOf(ask("dan"))).toEqual([503, "overloaded", "2"]);
    finish();
    await Promise.all(readings);
  });

  test("one whose sender has gone is not read", async () => {
    const { ask, begun, finish } = setUp({ maxThreads: 1, maxWaitingOfAccount: 1, maxWaiting: 5 });
    const gone = new AbortController();
    const readings = [ask("ada"), ask("bob", gone.signal)];
    await settle();
    gone.abort(new Error("gone"));
    await expect(readings[1]).rejects.toThrow("gone");
    finish();
    await readings[0];
    expect(begun).toEqual(["ada.txt"]);
  });
});

test("the reader gets the operator's limits", async () => {
  const given: unknown[] = [];
  const readDocument = createReadDocument({
    settings: SETTINGS,
    takeTurn: (work) => work(),
    read: async (...input) => {
      given.push(...input);
      return READ;
    },
  });
  await readDocument({ file: FILE, userId: "ada", signal: never() });
  expect(given.slice(0, 3)).toEqual([
    new TextEncoder().encode("words"),
    "a.txt",
    { pages: 10, characters: 100, seconds: 5, memoryMegabytes: 256, unpackedBytes: 1024 * 1024 },
  ]);
});

test("a failure of the reader itself is not blamed on the document", async () => {
  const read = () => Promise.reject(new Error("no process"));
  const readDocument = createReadDocument({ settings: SETTINGS, takeTurn: (work) => work(), read });
  await expect(readDocument({ file: FILE, userId: "ada", signal: never() })).rejects.toThrow("no process");
});
