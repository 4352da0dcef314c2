import { request } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startNginx } from "../faults/nginx.ts";
import { createEnvironment, type ReliabilityEnvironment } from "./environment.ts";

const MEGABYTE = 1024 * 1024;
/** Above what calls to models may hold, and above what the system keeps of it on its way. */
const BODY_BYTES = 24 * MEGABYTE;
const ROUNDS = 10;

let environment: ReliabilityEnvironment;
let key: string;
let port: number;
beforeAll(async () => {
  environment = await createEnvironment();
  ({ secret: key } = await environment.client().apiKeys.create({ name: "senders" }));
  port = Number(new URL(environment.baseUrl()).port);
});
afterAll(() => environment?.close());

type Answer = { status: number | undefined; text: string };

/** Sends a call that is too large, part after part and whole, and returns the answer; rejects when the connection breaks. */
function sendTooMuch(url: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", "content-length": BODY_BYTES, ...headers },
      agent: false,
    });
    call.on("error", reject);
    call.on("response", (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode, text: Buffer.concat(parts).toString() }));
    });
    void sendParts((part) => new Promise<void>((sent) => void call.write(part, () => sent())));
  });
}

async function sendParts(send: (part: Buffer) => Promise<void>): Promise<void> {
  const part = Buffer.alloc(256 * 1024, "x");
  for (let sent = 0; sent < BODY_BYTES; sent += part.length) {
    await send(part);
    await turn();
  }
}

test.each([
  ["passes bodies on as they come", "proxy_request_buffering off; client_max_body_size 0;"],
  ["passes bodies on whole", "proxy_request_buffering on; client_max_body_size 0;"],
])(
  "a caller behind an nginx that %s gets what the server answers before it has read the body",
  async (_how, directives) => {
    const nginx = await startNginx(environment.folder, [port], directives);
    if (nginx === null) return; // without nginx nothing is tested here; the server's own tests cover the rest
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const tooLarge = await sendTooMuch(nginx.url, { authorization: `Bearer ${key}` });
        expect([tooLarge.status, tooLarge.text]).toEqual([413, expect.stringContaining("payload_too_large")]);
        const anonymous = await sendTooMuch(nginx.url, {});
        expect([anonymous.status, anonymous.text]).toEqual([401, expect.stringContaining("unauthorized")]);
      }
    } finally {
      await nginx.stop();
    }
  },
);
