import { expect, test, vi } from "vitest";
import { systemClock } from "../platform/core/clock.ts";
import { createModelCalls } from "./model-calls.ts";
import type { RoutingRules } from "./ports.ts";

test("a call of an alias whose caller has gone while it was looked up is not run", async () => {
  const runCall = vi.fn(async () => {});
  const response = { destroyed: false };
  const rules: RoutingRules = {
    aliases: new Map([["company/default", { name: "company/default", models: ["acme/model"] }]]),
    order: "balanced",
    ownKeyFeePercent: 0,
    refusesBelowCost: false,
  };
  const calls = createModelCalls({
    runCall,
    policyFor: () => ({}) as never,
    models: {
      exists: async () => {
        response.destroyed = true;
        return false;
      },
    },
    readRules: () => rules,
    sharedStreams: { refuseTaken: () => expect.fail("It is not resumable.") },
    waitingAnswers: { require: () => expect.fail("It saves nothing."), finish: () => expect.fail("It saves nothing.") },
    streams: { open: () => expect.fail("It is not resumable.") },
    clock: systemClock,
  });
  const body = { model: "company/default", messages: [{ role: "user", content: "Hello" }] };
  const input = { actor: { organizationId: "org_1" }, body, exchange: { id: "req_1", headers: {}, response } } as never;
  await calls["chat.completions.create"](input);
  expect(runCall).not.toHaveBeenCalled();
});
