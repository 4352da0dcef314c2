import { expect, test } from "vitest";
import { createSecret, hashSecret } from "../../platform/core/secrets/secrets.ts";
import { createRunningCalls } from "./running-calls.ts";

/** Returns a call that counts how often its headers are read. */
function createCall(headers: Record<string, string>) {
  let reads = 0;
  const exchange = {
    get headers() {
      reads += 1;
      return headers;
    },
  };
  return { started: { call: { exchange }, caller: null, abort: new AbortController() } as never, reads: () => reads };
}

test("the secret of a call is hashed once, when it is first asked for", () => {
  const running = createRunningCalls();
  const secret = createSecret("rc");
  const { started, reads } = createCall({ authorization: `Bearer ${secret}` });
  const end = running.start(started);
  expect(reads()).toBe(0);
  const [call] = running.list();
  for (let time = 0; time < 3; time++) expect(call?.secret()).toEqual({ kind: "rc", hash: hashSecret(secret) });
  expect(reads()).toBe(1);
  end();
  expect(running.count()).toBe(0);
});

test("a call without a secret in its headers has none", () => {
  const running = createRunningCalls();
  running.start(createCall({}).started);
  expect(running.list()[0]?.secret()).toBeNull();
});
