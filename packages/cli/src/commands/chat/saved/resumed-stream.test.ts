import { formatChunk, formatUsage } from "@feather/testing/chat-events";
import { waitFor } from "@feather/testing/wait-for";
import { expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";

const EVENTS = [
  formatChunk({ content: "Because " }),
  formatChunk({ content: "of air." }),
  formatChunk({}, "stop"),
  formatUsage({ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }),
  "data: [DONE]\n\n",
].map((event, index) => `id: ${index + 1}\n${event}`);
const HEADERS = {
  "content-type": "text/event-stream",
  "x-stream-id": "stream-of-a-test",
  "x-stream-path": "/v1/chat/completions",
};

/** Returns a stream that sends a text and then breaks off, or stays open. */
function sendAndThen(how: "breaks" | "stays open", text: string): ReadableStream<Uint8Array> {
  const parts = [new TextEncoder().encode(text)];
  return new ReadableStream({
    pull(controller) {
      const part = parts.shift();
      if (part) controller.enqueue(part);
      else if (how === "breaks") controller.error(new Error("The connection broke."));
    },
  });
}

const { run, requests } = setupCli({
  "POST /v1/chat/completions": ({ body }) => {
    const { model } = body as { model: string };
    return new Response(sendAndThen(model === "a/lost" ? "breaks" : "stays open", EVENTS[0] ?? ""), {
      headers: HEADERS,
    });
  },
  "GET /v1/streams/stream-of-a-test": ({ headers }) => ({
    headers: HEADERS,
    body: EVENTS.slice(Number(headers["last-event-id"])).join(""),
  }),
});
const sent = () => requests().map(({ method, path }) => `${method} ${path.replace(/[\w-]{36}$/, "<id>")}`);

test("an answer whose connection is lost goes on where it was", async () => {
  const { code, out } = await run("chat -m a/lost Why?");
  expect([code, out]).toEqual([0, "Because of air.\n"]);
  expect(sent().filter((request) => request.includes("/v1/"))).toEqual([
    "POST /v1/chat/completions",
    "GET /v1/streams/stream-of-a-test",
  ]);
});

test("an answer that is left before its end is stopped", async () => {
  const leaving = new AbortController();
  const left = run("chat -m a/slow Why?", { signal: leaving.signal });
  await waitFor(() => expect(sent()).toContain("POST /v1/chat/completions"));
  leaving.abort();
  await left;
  expect(sent().at(-1)).toBe("DELETE /v1/streams/<id>");
});
