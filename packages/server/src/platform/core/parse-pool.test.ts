import { expect, onTestFinished, test } from "vitest";
import type { FakeParserTask } from "../../testing/parsers/fake-parser.ts";
import { type AppError, hasCode } from "./errors/index.ts";
import { createParsePool, type ParsePoolLimits, UnreadableTextError } from "./parse-pool.ts";

const FILE = new URL("../../testing/parsers/fake-parser.ts", import.meta.url);
const LONG_MS = 60_000;

function setUp(limits: Partial<ParsePoolLimits> = {}) {
  const pool = createParsePool(limits);
  onTestFinished(() => pool.close());
  const parse = pool.create<FakeParserTask, string>({ file: FILE, timeLimitMs: LONG_MS });
  const parseBriefly = pool.create<FakeParserTask, string>({ file: FILE, timeLimitMs: 300 });
  return { pool, parse, parseBriefly };
}

/** Creates a gate that parsers wait for. */
function createGate() {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const open = () => {
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  };
  return { gate, open };
}

const reasonOf = (parsing: Promise<unknown>): Promise<unknown> =>
  parsing.then(
    () => null,
    (error: unknown) => (error instanceof UnreadableTextError ? [error.reason, error.message] : error),
  );

const ECHO = { kind: "echo", text: "parsed" } as const;

test("a text that takes too long is given up, and others are parsed meanwhile and afterwards", async () => {
  const { parse, parseBriefly } = setUp();
  const [reason, other] = await Promise.all([
    reasonOf(parseBriefly({ kind: "hang" }, { account: "slow" })),
    parse(ECHO, { account: "other" }),
  ]);
  expect(reason).toEqual(["time", "it takes too long to read"]);
  expect([other, await parse(ECHO, { account: "slow" })]).toEqual(["parsed", "parsed"]);
});

test("the event loop turns while a parser blocks its thread", async () => {
  const { parseBriefly } = setUp();
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  await reasonOf(parseBriefly({ kind: "hang" }));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(10);
});

test.each([
  ["takes too much memory", "grow", ["memory", "it takes too much memory to read"]],
  ["throws", "throw", ["fault", "line 3 is not valid"]],
  ["ends its thread", "exit", ["fault", expect.stringContaining("exited")]],
] as const)("a parser that %s ends only its own text", async (_what, kind, expected) => {
  const { parse } = setUp({ memoryMb: 64 });
  const { gate, open } = createGate();
  const other = parse({ kind: "wait", gate }, { account: "other" });
  expect(await reasonOf(parse({ kind }))).toEqual(expected);
  expect(await parse(ECHO)).toBe("parsed");
  open();
  expect(await other).toBe("waited");
});

test("an account with many texts leaves a thread to others", async () => {
  const { parse } = setUp({ maxThreads: 2 });
  const { gate, open } = createGate();
  const busy = [1, 2, 3].map(() => parse({ kind: "wait", gate }, { account: "busy" }));
  expect(await parse(ECHO, { account: "other" })).toBe("parsed");
  open();
  expect(await Promise.all(busy)).toEqual(["waited", "waited", "waited"]);
});

test("an account with too many waiting texts is refused, while the server's own texts wait", async () => {
  const { parse } = setUp({ maxThreads: 1, maxWaitingOfAccount: 1 });
  const { gate, open } = createGate();
  const waiting = [1, 2].map(() => parse({ kind: "wait", gate }, { account: "busy" }));
  const own = [1, 2, 3].map(() => parse(ECHO));
  const refusal: unknown = await parse(ECHO, { account: "busy" }).catch((error: unknown) => error);
  expect(hasCode(refusal, "parsing.busy") && [refusal.status, (refusal as AppError).headers["retry-after"]]).toEqual([
    429,
    "5",
  ]);
  open();
  expect(await Promise.all([...waiting, ...own])).toEqual(["waited", "waited", "parsed", "parsed", "parsed"]);
});

test("a text is discarded when its caller no longer waits", async () => {
  const { parse } = setUp({ maxThreads: 1 });
  const asker = new AbortController();
  const parsing = reasonOf(parse({ kind: "hang" }, { signal: asker.signal }));
  const queued = reasonOf(parse(ECHO, { signal: asker.signal }));
  asker.abort(new Error("gone"));
  expect(await Promise.all([parsing, queued])).toEqual([asker.signal.reason, asker.signal.reason]);
  expect(await parse(ECHO)).toBe("parsed");
});

test("closing ends what is parsed and what waits", async () => {
  const { pool, parse } = setUp({ maxThreads: 1 });
  const ended = Promise.allSettled([parse({ kind: "hang" }), parse(ECHO), parse(ECHO, { account: "other" })]);
  await pool.close();
  expect((await ended).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
});
