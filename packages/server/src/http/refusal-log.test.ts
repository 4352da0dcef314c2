import { Writable } from "node:stream";
import pino from "pino";
import { expect, test } from "vitest";
import { createTestServer } from "../testing/server.ts";

test("a temporary refusal is logged as a line rather than an error with a stack", async () => {
  const lines: { level: number; msg: string; err?: object; code?: string }[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  const server = await createTestServer({ log: pino({ level: "info" }, sink) });
  try {
    server.platform.lifecycle.starting = true;
    expect((await server.call("/api/health/ready")).status).toBe(503);
    const line = lines.find(({ msg }) => msg === "The server is starting.");
    expect(line).toMatchObject({ level: pino.levels.values.info, code: "unavailable" });
    expect(line).not.toHaveProperty("err");
  } finally {
    await server.close();
  }
});
