import { waitFor } from "@feather/testing/wait-for";
import { cleanup, render } from "ink-testing-library";
import { createElement } from "react";
import { afterEach, expect, test } from "vitest";
import { createStyle } from "../../output/style.ts";
import {
  buildModelHost,
  buildReceipt,
  buildTopDeployment,
  buildTopModel,
  buildUsage,
  NOW,
} from "../../testing/top-fixtures.ts";
import type { TopSource } from "./source.ts";
import { Top, type TopProps } from "./top.tsx";

afterEach(() => cleanup());

const DOWN = "\u001b[B";
const CTRL_C = "\u0003";
const forever = () => new Promise<never>(() => {});

type Overrides = Partial<Pick<TopSource, "load" | "streamUsage"> & Pick<TopProps, "pause" | "openUrl">>;

/**
 * Shows the screen with a running request, two that ended, and two deployments. `stopped` lists the calls that stop
 * something.
 */
function show({ load, streamUsage, pause, openUrl = async () => true }: Overrides = {}) {
  const stopped: string[] = [];
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
    stopRequest: async (id) => void stopped.push(id),
    unloadModel: async (id) => void stopped.push(id),
    pauseDeployment: async (id) => void stopped.push(id),
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
      openUrl,
      stopProcess: async () => {},
    }),
  );
  const sees = (text: string) => waitFor(() => expect(app.lastFrame()).toContain(text));
  return { ...app, sees, stopped, signals };
}

test("feather top shows units, requests and deployments as they are loaded", async () => {
  const { sees, stdin } = show();
  await sees("2 of 4 units in use");
  await sees("req_done");
  stdin.write("3");
  await sees("support-bot");
});

test("feather top pauses the selected deployment after a yes, and nothing after another key", async () => {
  const { sees, stdin, stopped } = show();
  stdin.write("3");
  await sees("› support-bot");
  stdin.write(DOWN);
  await sees("› wren");
  stdin.write("x");
  await sees("Pause wren? Its replicas are stopped, its settings stay. (y/N)");
  stdin.write("n");
  await sees("q leaves");
  expect(stopped).toEqual([]);
  stdin.write("x");
  await sees("(y/N)");
  stdin.write("y");
  await sees("wren is paused.");
  expect(stopped).toEqual(["dep_2"]);
});

test("feather top stops the selected request after a yes", async () => {
  const { sees, stdin, stopped } = show();
  await sees("› Qwen/Qwen3-32B");
  stdin.write("x");
  await sees("Stop this request to Qwen/Qwen3-32B?");
  stdin.write("y");
  await sees("Stopped req_running.");
  expect(stopped).toEqual(["req_running"]);
});

test("feather top unloads the selected model after a yes, and says how many requests fail", async () => {
  const items = [buildTopModel("Qwen/Qwen3-32B")];
  const { sees, stdin, stopped } = show({
    load: {
      models: async () => ({ items, total: 1 }),
      modelHost: async () => buildModelHost({ request_count: 2 }),
    },
  });
  stdin.write("2");
  await sees("6.0 GB");
  stdin.write("x");
  await sees("Unload Qwen/Qwen3-32B? 2 requests that it answers will fail.");
  stdin.write("y");
  await sees("Qwen/Qwen3-32B is unloaded.");
  expect(stopped).toEqual(["Qwen/Qwen3-32B"]);
});

test.each([
  ["opens the page of a row", true, "Opened http://localhost:4000/account/private-cloud/deployments/dep_1"],
  [
    "shows the address where there is no browser",
    false,
    "http://localhost:4000/account/private-cloud/deployments/dep_1",
  ],
])("o %s", async (_, hasBrowser, notice) => {
  const opened: string[] = [];
  const openUrl = async (address: string) => {
    opened.push(address);
    return hasBrowser;
  };
  const { sees, stdin, lastFrame } = show({ openUrl });
  stdin.write("3");
  await sees("› support-bot");
  stdin.write("o");
  await waitFor(() => expect(lastFrame()?.trimEnd().split("\n").at(-1)).toBe(notice));
  expect(opened).toEqual(["http://localhost:4000/account/private-cloud/deployments/dep_1"]);
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

test("feather top opens the details of a row, and goes back", async () => {
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

test("feather top loads less and less often while loading fails, and as before after it succeeded", async () => {
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

test("feather top says that the connection was lost, and opens the stream again", async () => {
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
