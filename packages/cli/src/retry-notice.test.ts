import { expect, test } from "vitest";
import { createRetryNotice } from "./retry-notice.ts";
import { setupCli } from "./testing/setup-cli.ts";

/** Reports attempts that failed at these times, in milliseconds, with the pauses after them; returns the messages. */
function notice(attempts: readonly (readonly [at: number, delayMs: number, status: unknown])[]): readonly string[] {
  const messages: string[] = [];
  let time = 0;
  const { info } = createRetryNotice(
    (text) => messages.push(text),
    () => new Date(time),
  );
  for (const [at, delayMs, status] of attempts) {
    time = at;
    info?.("request", { status, retry_in_ms: delayMs });
  }
  return messages;
}

test.each([
  ["nothing of a short retry", [[0, 500, 503]], []],
  [
    "the second retry, which ends later than a second",
    [
      [0, 500, 503],
      [500, 900, 503],
    ],
    ["The server answered 503. Trying again in 1 s."],
  ],
  ["a long pause at once", [[0, 3000, 429]], ["The server answered 429. Trying again in 3 s."]],
  ["a connection that fails", [[0, 2000, "ConnectionError: x"]], ["The connection failed. Trying again in 2 s."]],
] as const)("the notice of a retry tells %s", (_, attempts, expected) => {
  expect(notice(attempts)).toEqual(expected);
});

let left = 1;
const { run } = setupCli({
  "GET /feather/families": () => {
    left -= 1;
    if (left < 0) return { body: { items: [] } };
    return { status: 503, headers: { "retry-after": "1", "x-should-retry": "true" }, body: {} };
  },
});

test("a command tells on stderr that it tries again", async () => {
  expect(await run("models families -q")).toEqual({
    code: 0,
    out: "",
    err: "The server answered 503. Trying again in 1 s.\n",
  });
});
