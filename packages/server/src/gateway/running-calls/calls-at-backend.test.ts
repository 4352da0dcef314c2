import { createTestClock } from "@feather/testing/clock";
import { expect, test } from "vitest";
import { createBackendRegistry } from "../backends/registry.ts";
import { createCallsAtBackend } from "./calls-at-backend.ts";

test("the calls at a backend are those of all other processes that respond", async () => {
  const processes = [1, 2].map((calls) => {
    const registry = createBackendRegistry(createTestClock());
    registry.set({
      name: "rack-7",
      source: "settings",
      baseUrl: "http://10.0.0.7/v1",
      weight: 1,
      models: new Map([["acme/model", "model"]]),
    });
    const [backend] = registry.list();
    for (let call = 0; call < calls && backend; call++) registry.acquire(backend);
    return createCallsAtBackend({ registry, peers: { askOthers: () => Promise.reject(new Error("not called")) } });
  });
  const registry = createBackendRegistry(createTestClock());
  const { countOfOthers } = createCallsAtBackend({
    registry,
    peers: {
      askOthers: async ({ output }, input) => {
        const answers = processes.flatMap(({ peerAnswers }) => peerAnswers.map(({ answer }) => answer(input)));
        return {
          answers: (await Promise.all(answers)).map((given) => output.parse(given)),
          replicaIds: [],
          missing: 1,
        };
      },
    },
  });
  expect(await countOfOthers("rack-7")).toBe(3);
  expect(await countOfOthers("rack-8")).toBe(0);
});
