import { type Attack, listAnonymousAttacks, listCallAttacks } from "@feather/testing/attacks";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listProcessTree, readUse } from "../bench/processes.ts";
import { createEnvironment, MODEL, type ReliabilityEnvironment } from "./environment.ts";

const UNITS = 8; // of the first admin's plan
/** Most calls of one organization that wait in one process. */
const MAX_WAITING = 64;
const CALLS = 480;
const METADATA_BYTES = 900_000;
/**
 * The memory that waiting calls hold, and that of refused ones until it is collected; all calls together would take 2
 * GB.
 */
const MAX_GROWTH_MB_PER_PROCESS = 500;
const HANG_LIMIT_MS = 120_000;

describe.each([
  ["one process", 1],
  ["four processes", 4],
])("a server of %s", (_title, workers) => {
  let environment: ReliabilityEnvironment;
  let secret: string;
  beforeAll(async () => {
    environment = await createEnvironment({ FEATHER_WORKERS: String(workers) });
    ({ secret } = await environment.client().apiKeys.create({ name: "attackers" }));
  });
  afterAll(() => environment?.close());

  /** Sends a request over its own connection, so that any process may take it. */
  const send = (path: string, init: RequestInit = {}) =>
    fetch(environment.baseUrl() + path, { ...init, headers: { ...init.headers, connection: "close" } });
  const post = (path: string, body: BodyInit, headers: Record<string, string>, signal?: AbortSignal) =>
    send(path, { method: "POST", body, headers, ...(signal && { signal }) });

  /**
   * Sends each attack once for each process, all at once, and expects that health checks are answered during that time.
   */
  async function attack({ path, body, headers, status }: Attack, credential: Record<string, string> = {}) {
    const attacks = Array.from({ length: workers }, () => post(path, body, { ...headers, ...credential }));
    const health = Array.from({ length: workers * 2 }, () => send("/api/health/live"));
    const answered = async (requests: Promise<Response>[]) => (await Promise.all(requests)).map((each) => each.status);
    expect(await answered(health)).toEqual(health.map(() => 200));
    expect(await answered(attacks)).toEqual(attacks.map(() => status));
  }

  test.each(listAnonymousAttacks())("answers health checks during $title", (each) => attack(each));
  test.each(listCallAttacks(MODEL))("answers health checks during $title", (each) =>
    attack(each, { authorization: `Bearer ${secret}` }),
  );

  test(
    "keeps few of 480 large calls that would wait, refuses the others, and answers health checks meanwhile",
    async () => {
      const gate = Promise.withResolvers<void>();
      environment.backend.scripts.set(MODEL, { thinkUntil: gate.promise, tokens: ["Well."] });
      const residentMb = () => readUse(listProcessTree(environment.pid())).residentMb;
      const gone = new AbortController();
      const body = JSON.stringify({
        model: MODEL,
        messages: [{ role: "user", content: "Hello" }],
        metadata: { text: "x".repeat(METADATA_BYTES) },
      });
      const before = residentMb();
      const statuses: number[] = [];
      const headers = {
        authorization: `Bearer ${secret}`,
        "content-type": "application/json",
        "x-queue-timeout": "120",
      };
      const calls = Array.from({ length: CALLS }, () =>
        post("/v1/chat/completions", body, headers, gone.signal).then(
          ({ status }) => statuses.push(status),
          () => {}, // it waited until the end
        ),
      );
      const mostWaiting = UNITS + workers * MAX_WAITING;
      await waitFor(async () => {
        expect((await send("/api/health/live")).status).toBe(200);
        expect(statuses.length).toBeGreaterThanOrEqual(CALLS - mostWaiting);
      });
      await waitFor(() => expect(environment.backend.active()).toBe(UNITS));
      // 408 is for a body that did not arrive in time, which happens on a busy machine.
      expect(statuses.filter((status) => ![408, 429, 503].includes(status))).toEqual([]);
      expect(residentMb() - before).toBeLessThan(workers * MAX_GROWTH_MB_PER_PROCESS);
      gone.abort();
      gate.resolve();
      await Promise.all(calls);
      environment.backend.scripts.delete(MODEL);
      await waitFor(async () => expect((await environment.client().concurrency.get()).used_cost).toBe(0));
      const late = JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "Hello" }] });
      // One of the processes may be overloaded for another second.
      await waitFor(async () => expect((await post("/v1/chat/completions", late, headers)).status).toBe(200));
    },
    HANG_LIMIT_MS,
  );
});
