import { formatChunk, formatEvent } from "@feather/testing/chat-events";
import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const EVENTS = { "content-type": "text/event-stream" };
const half = formatChunk({ content: "half" });
const error = { message: "The backend broke off before its answer was complete.", code: "upstream_error" };

/** Returns a stream that fails after a text. */
function breakAfter(text: string): ReadableStream<Uint8Array> {
  const parts = [new TextEncoder().encode(text)];
  return new ReadableStream({
    pull(controller) {
      const part = parts.shift();
      if (part) controller.enqueue(part);
      else controller.error(new Error("The connection broke."));
    },
  });
}

/** What breaks is named by the model. */
const { run } = setupCli({
  "POST /v1/chat/completions": ({ body }) => {
    const { model } = body as { model: string };
    if (model === "a/backend") return { headers: EVENTS, body: half + formatEvent({ error }) };
    return new Response(breakAfter(half), { headers: EVENTS });
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
