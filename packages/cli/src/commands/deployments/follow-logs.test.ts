import { type DeploymentLogLine, StreamTruncatedError } from "@feather/sdk";
import { describe, expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";
import { type FollowOptions, followLogs } from "./follow-logs.ts";

const at = (second: number, text: string): DeploymentLogLine => ({
  logged_at: new Date(Date.UTC(2026, 10, 21, 12, 0, second)),
  replica: "r1",
  text,
});
const LOST = new StreamTruncatedError("");

/** A connection: the lines of the stream, then how it ends; or the error with which it cannot be opened. */
type Connection = { readonly lines: readonly DeploymentLogLine[]; readonly error?: Error } | Error;

/** Follows over these connections; the deployment is gone when the last one has ended. Returns what happened, in order. */
async function follow(connections: readonly Connection[], overrides: Partial<FollowOptions> = {}) {
  const events: string[] = [];
  const left = [...connections];
  const options: FollowOptions = {
    async open(isReconnect) {
      const connection = left.shift();
      if (connection === undefined || connection instanceof Error) throw connection;
      events.push(isReconnect ? "reopen" : "open");
      return streamOf(connection);
    },
    isGone: async () => left.length === 0,
    isTemporary: (error) => error === LOST,
    async pause(milliseconds) {
      events.push(`pause ${milliseconds}`);
    },
    onLost: (error) => events.push(error === undefined ? "ended" : "lost"),
    onReconnected: () => events.push("reconnected"),
    minPauseMs: 10,
    maxPauseMs: 40,
    ...overrides,
  };
  for await (const { text } of followLogs(options)) events.push(text);
  return events;
}

async function* streamOf({ lines, error }: Exclude<Connection, Error>) {
  yield* lines;
  if (error !== undefined) throw error;
}

describe("following logs", () => {
  test("following logs ends when the deployment is gone", async () => {
    expect(await follow([{ lines: [at(1, "a"), at(2, "b")] }])).toEqual(["open", "a", "b"]);
  });

  test("following logs goes on after a lost connection, with no line twice and none left out", async () => {
    const first = { lines: [at(1, "a"), at(2, "b"), at(2, "c")], error: LOST };
    const second = { lines: [at(0, "before"), at(1, "a"), at(2, "b"), at(2, "c"), at(2, "c"), at(3, "d")] };
    const events = await follow([first, second]);
    expect(events).toEqual(["open", "a", "b", "c", "lost", "pause 10", "reopen", "reconnected", "c", "d"]);
  });

  test("following logs goes on when the server ends the stream while the deployment remains", async () => {
    const events = await follow([{ lines: [at(1, "a")] }, { lines: [at(1, "a"), at(2, "b")] }]);
    expect(events).toEqual(["open", "a", "ended", "pause 10", "reopen", "reconnected", "b"]);
  });

  test("following logs prints lines that come out of order within a stream", async () => {
    expect(await follow([{ lines: [at(2, "late"), at(1, "early")] }])).toEqual(["open", "late", "early"]);
  });

  test("following logs pauses twice as long after each failed attempt, up to a limit, and anew after a success", async () => {
    const lost = { lines: [], error: LOST };
    const events = await follow([lost, LOST, LOST, LOST, lost, { lines: [] }]);
    expect(events.filter((event) => event.startsWith("pause"))).toEqual([
      "pause 10",
      "pause 20",
      "pause 40",
      "pause 40",
      "pause 10",
    ]);
  });

  test("following logs ends with an error that does not pass", async () => {
    const denied = new Error("denied");
    await expect(follow([{ lines: [at(1, "a")], error: denied }])).rejects.toBe(denied);
    await expect(follow([{ lines: [], error: LOST }, denied])).rejects.toBe(denied);
  });

  test("following logs ends when the person leaves during a pause", async () => {
    const left = new Error("left");
    const pause = () => Promise.reject(left);
    await expect(follow([{ lines: [], error: LOST }], { pause })).rejects.toBe(left);
  });

  test("following logs fails at once when the first connection fails", async () => {
    await expect(follow([LOST])).rejects.toBe(LOST);
  });
});

describe("deployments logs --follow", () => {
  const event = (text: string) => `data: ${JSON.stringify({ logged_at: NOW, replica: "r1", text })}\n\n`;
  const NOW = "2026-11-21T12:00:00.000Z";
  const opened: (string | null)[] = [];
  const { run } = setupCli({
    "GET /feather/private-cloud/deployments/dep_1/logs": ({ query }) => {
      opened.push(query.get("tail"));
      const isFirst = opened.length === 1;
      const texts = isFirst ? ["a"] : ["a", "b"];
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(texts.map(event).join("")));
          if (!isFirst) controller.close();
        },
        pull(controller) {
          controller.error(new Error("cut"));
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
    "GET /feather/private-cloud/deployments/dep_1": () => ({ status: 404, body: {} }),
  });

  test("deployments logs --follow says on stderr that it connects again, and ends when the deployment is deleted", async () => {
    opened.length = 0;
    const pauses: number[] = [];
    const { code, out, err } = await run("deployments logs dep_1 --follow --tail 5", {
      onSleep: (milliseconds) => pauses.push(milliseconds),
    });
    expect([code, out]).toEqual([0, `${NOW}\tr1\ta\n${NOW}\tr1\tb\n`]);
    expect(err).toMatch(/^The connection was lost \(.+\)\. Trying again in 1 s\.\nConnected again\.\n$/);
    expect([opened, pauses]).toEqual([["5", "1000"], [1000]]);
  });

  test("deployments logs --follow ends with 130 on Ctrl-C while it waits to connect again", async () => {
    opened.length = 0;
    const controller = new AbortController();
    const { code, out } = await run("deployments logs dep_1 --follow", {
      signal: controller.signal,
      onSleep: () => controller.abort(),
    });
    expect([code, out]).toEqual([130, `${NOW}\tr1\ta\n`]);
  });
});
