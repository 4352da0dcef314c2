import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const EVENTS = { "content-type": "text/event-stream" };
const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const half = event({ choices: [{ index: 0, delta: { content: "half" }, finish_reason: null }] });
const error = { message: "The backend broke off before its answer was complete.", code: "upstream_error" };

/** What breaks is named by the model. */
const { run } = setupCli({
  "POST /v1/chat/completions": ({ body }, response) => {
    const { model } = body as { model: string };
    if (model === "a/backend") return { headers: EVENTS, body: half + event({ error }) };
    response.writeHead(200, EVENTS).write(half, () => response.destroy());
    return null;
  },
});

test("an error in the middle of an answer is reported with its message and code", async () => {
  const { code, out, err } = await run("chat -m a/backend hi");
  expect([code, out]).toEqual([9, "half\n"]);
  expect(err).toContain(`error: ${error.message}`);
  expect(err).not.toContain("check the address");
});

test("a lost connection in the middle of an answer is reported as truncated", async () => {
  const { code, err } = await run("chat -m a/connection hi");
  expect(code).toBe(10);
  expect(err).toContain("cut off");
});
