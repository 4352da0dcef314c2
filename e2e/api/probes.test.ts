import { expect, test } from "vitest";
import { signInAsAdmin } from "../support/accounts.ts";
import { platformUrl } from "../support/platform-url.ts";

const MODEL = "feather/demo";

test("the demonstration model shows at the real engine that it follows schemas, and neither calls tools nor finds a number", async () => {
  const { feather } = await signInAsAdmin(platformUrl());
  // Loads the model, since no probe does.
  await feather.chat.completions.create({
    model: MODEL,
    messages: [{ role: "user", content: "Hello" }],
    max_tokens: 5,
  });
  const { items } = await feather.admin.models.probes.create(MODEL);
  expect(items.map(({ hosted, obstacle }) => ({ hosted, obstacle }))).toEqual([{ hosted: "here", obstacle: null }]);
  await expect.poll(async () => (await feather.admin.models.probes.list(MODEL)).items[0]?.state).toBe("ended");
  const { probes } = await feather.models.get(MODEL);
  expect(Object.fromEntries(probes.map(({ ability, result }) => [ability, result]))).toEqual({
    speed: "yes",
    tools: "no",
    json_schema: "yes",
    context: "no",
  });
});
