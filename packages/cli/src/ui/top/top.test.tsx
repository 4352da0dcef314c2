import { waitFor } from "@feather/testing/wait-for";
import { cleanup, render } from "ink-testing-library";
import { createElement } from "react";
import { afterEach, expect, test } from "vitest";
import { createStyle } from "../../output/style.ts";
import { buildReceipt, buildTopDeployment, buildUsage, NOW } from "../../testing/top-fixtures.ts";
import type { TopSource } from "./source.ts";
import { Top, type TopProps } from "./top.tsx";

afterEach(() => cleanup());

const DOWN = "\u001b[B";
const CTRL_C = "\u0003";
const forever = () => new Promise<never>(() => {});

/** Shows the screen with a request that runs, two that ended, and two deployments. `paused` are the ids that were paused. */
function show({
  load,
  streamUsage,
  pause,
}: Partial<Pick<TopSource, "load" | "streamUsage"> & Pick<TopProps, "pause">> = {}) {
  const paused: string[] = [];
  const signals: AbortSignal[] = [];
  const source: TopSource = {
    async *streamUsage(signal) {
      signals.push(signal);
      yield buildUsage({ req_running: 2 });
      await forever();
    },
    load: {
      recent: async () => ({ receipts: [buildReceipt(), buildReceipt({ id: "req_other" })], refused: 0 }),
      deployments: async () => [buildTopDeployment(), buildTopDeployment({ id: "dep_2", name: "wren" })],
      ...load,
    },
    pauseDeployment: async (id) => void paused.push(id),
    cancelDownload: async () => {},
    ...(streamUsage && { streamUsage }),
  };
  const app = render(
    createElement(Top, {
      first: buildUsage(),
      source,
      now: () => NOW,
      pause: pause ?? forever,
      explain: (error) => (error instanceof Error ? error.message : String(error)),
      isFatal: () => false,
      style: createStyle(false, true),
      host: "localhost:4000",
      siteUrl: "http://localhost:4000",
    }),
  );
  const sees = (text: string) => waitFor(() => expect(app.lastFrame()).toContain(text));
  return { ...app, sees, paused, signals };
}

test("shows units, requests and deployments as they are loaded", async () => {
  const { sees, stdin } = show();
  await sees("2 of 4 units in use");
  await sees("req_done");
  stdin.write("3");
  await sees("support-bot");
});

test("pauses the selected deployment after a yes, and nothing after another key", async () => {
  const { sees, stdin, paused } = show();
  stdin.write("3");
  await sees("› support-bot");
  stdin.write(DOWN);
  await sees("› wren");
  stdin.write("x");
  await sees("Pause wren? Its replicas are stopped, its settings stay. (y/N)");
  stdin.write("n");
  await sees("q leaves");
  expect(paused).toEqual([]);
  stdin.write("x");
  await sees("(y/N)");
  stdin.write("y");
  await sees("wren is paused.");
  expect(paused).toEqual(["dep_2"]);
});

test("filters the rows by what is typed, and Escape shows all again", async () => {
  const { sees, stdin, lastFrame } = show();
  await sees("req_done");
  stdin.write("/");
  await sees("/▌");
  stdin.write("other");
  await sees("/other▌");
  expect(lastFrame()).not.toContain("req_running");
  stdin.write("\u001b");
  await sees("req_running");
});

test("opens the details of a row, and goes back", async () => {
  const { sees, stdin } = show();
  stdin.write("3");
  await sees("› support-bot");
  stdin.write("\r");
  await sees("address");
  stdin.write("\u001b");
  await sees("› support-bot");
});

test("a collection that cannot be loaded is said in its pane, and the others go on", async () => {
  const { sees, stdin } = show({ load: { deployments: () => Promise.reject(new Error("the server is busy")) } });
  await sees("req_done");
  stdin.write("3");
  await sees("These could not be loaded: the server is busy");
});

test("loads less and less often while loading fails, and as before after it succeeded", async () => {
  const pauses: number[] = [];
  let loads = 0;
  const { sees, stdin } = show({
    load: {
      recent: forever,
      deployments: async () => {
        loads += 1;
        if (loads <= 5) throw new Error("the server is busy");
        return [];
      },
    },
    streamUsage: () => ({ [Symbol.asyncIterator]: () => ({ next: forever }) }),
    pause: async (milliseconds) => {
      if (milliseconds === 15_000) return forever();
      pauses.push(milliseconds);
      return pauses.length === 6 ? forever() : undefined;
    },
  });
  stdin.write("3");
  await sees("There are no deployments.");
  expect(pauses).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 5_000]);
});

test("says that the connection was lost, and opens the stream again", async () => {
  let opened = 0;
  const retry = Promise.withResolvers<void>();
  const { sees } = show({
    async *streamUsage() {
      opened += 1;
      if (opened === 1) throw new Error("cut");
      yield buildUsage({ req_running: 2 });
      await forever();
    },
    pause: (milliseconds) => (milliseconds === 1_000 ? retry.promise : forever()),
  });
  await sees("no connection for 0 s; trying again");
  retry.resolve();
  await sees("2 of 4 units in use");
});

test.each([
  ["q", "q"],
  ["Ctrl-C", CTRL_C],
])("%s leaves and ends the stream", async (_, key) => {
  const { sees, stdin, signals } = show();
  await sees("2 of 4 units in use");
  stdin.write(key);
  await waitFor(() => expect(signals[0]?.aborted).toBe(true));
});
