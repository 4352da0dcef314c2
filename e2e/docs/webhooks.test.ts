/** The program of the page Webhooks, as it stands there, receiving an event of a running platform. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFeather } from "@feather/sdk";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { HANG_LIMIT_MS } from "../support/hang-limit.ts";
import { installPackage } from "../support/pack.ts";
import { startPlatform } from "../support/platform.ts";

const PAGE = join(import.meta.dirname, "../../packages/web/content/docs/webhooks.md");
const folder = mkdtempSync(join(tmpdir(), "feather-webhooks-"));
chmodSync(folder, 0o711);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns a port that nothing listens on. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test(
  "the program of the page Webhooks checks and prints a test event",
  async () => {
    const platform = await startPlatform(folder, { FEATHER_OUTGOING_ALLOW: "127.0.0.1" });
    const { token } = await createAccount(platform.baseUrl);
    const feather = createFeather({ baseUrl: platform.baseUrl, token });
    const port = await findFreePort();
    const { id, secret } = await feather.webhooks.create({
      url: `http://127.0.0.1:${port}/`,
      event_types: ["member.added"],
    });
    const [, program = ""] = /^```typescript\n([\s\S]*?)^```$/m.exec(readFileSync(PAGE, "utf8")) ?? [];
    const place = join(folder, "receiver");
    mkdirSync(join(place, "node_modules"), { recursive: true });
    installPackage("sdk", place);
    writeFileSync(join(place, "receiver.ts"), program.replace("8787", String(port)));
    const receiver = spawn(process.execPath, ["receiver.ts"], {
      cwd: place,
      env: { ...process.env, FEATHER_WEBHOOK_SECRET: secret },
    });
    try {
      let printed = "";
      receiver.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
      receiver.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
      await waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(400));
      const { event_id } = await feather.webhooks.test(id);
      await waitFor(async () => expect(printed).toBe(`webhook.test ${event_id}\n`));
      await waitFor(async () => {
        const { items } = await feather.webhooks.deliveries.list(id);
        expect(items).toMatchObject([{ status: "delivered", response_status: 204 }]);
      });
    } finally {
      receiver.kill();
      platform.process.kill("SIGTERM");
      await platform.ended;
    }
  },
  HANG_LIMIT_MS,
);
