import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createTestClock } from "@feather/testing/clock";
import { type MailServerOptions, startMailServer } from "@feather/testing/mail-server";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { randomIds } from "../core/ids.ts";
import { createSecret } from "../core/secrets/secrets.ts";
import { MINUTE_MS } from "../core/time.ts";
import type { RenderAttachments } from "./mail.ts";
import { createMailDelivery, smtpTransport } from "./mail-delivery.ts";
import { createOutbox, type Message } from "./outbox.ts";

const clock = createTestClock();
const warnings: object[] = [];
const log = { warn: (what: object) => void warnings.push(what) } as never;
let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
  await database.db.deleteFrom("outbox").execute();
  warnings.length = 0;
});

/** Starts a mail server that ends with the test. `answers` are its status codes for consecutive messages. */
async function mailServer(answers: number[] = [], options: MailServerOptions = {}) {
  const server = await startMailServer(answers, options);
  closing.push(server.close);
  return server;
}

/** Starts a server that accepts connections and sends nothing, or only a greeting. */
async function silentServer(greeting = "") {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    if (greeting) socket.write(greeting);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
}

const deliveryTo = (url: string | null, timeoutMs = 500, renderAttachments: RenderAttachments = async () => []) =>
  createMailDelivery({
    db: database.db,
    clock,
    log,
    transport: url === null ? null : smtpTransport(url, timeoutMs),
    from: "Feather <feather@example.com>",
    renderAttachments,
  });
const put = (fields: Partial<Message> = {}) =>
  createOutbox(database.db, clock, randomIds).add({
    kind: "receipt",
    to: "maria@example.com",
    subject: "Grüße",
    text: "Hello, Maria.",
    ...fields,
  });
const rows = () => database.db.selectFrom("outbox").selectAll().orderBy("created_at").orderBy("id").execute();
const row = async () => (await rows())[0];

describe("the delivery of mail", () => {
  test("the delivery of mail sends a pending message once", async () => {
    const server = await mailServer();
    await put();
    const delivery = deliveryTo(server.url);
    await delivery.run();
    await delivery.run();
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatchObject({ from: "feather@example.com", to: ["maria@example.com"] });
    expect(server.received[0]?.text).toContain("Hello, Maria.");
    expect(server.received[0]?.text).toContain("Subject: =?UTF-8?");
    expect(await row()).toMatchObject({ attempts: 1, sent_at: clock.now(), failed_at: null, last_error: null });
  });

  test("the delivery of mail attaches the document that a message names, drawn when it is sent", async () => {
    const server = await mailServer();
    const names: string[] = [];
    await put({ attachment: "invoice:inv_1" });
    await put();
    await deliveryTo(server.url, 500, async (name) => {
      names.push(name);
      return [
        { filename: "F-2026-0001.pdf", contentType: "application/pdf", content: Buffer.from("%PDF-1.7") },
        { filename: "F-2026-0001.xml", contentType: "text/xml", content: Buffer.from("<Invoice/>") },
      ];
    }).run();
    expect(names).toEqual(["invoice:inv_1"]);
    const texts = server.received.map(({ text }) => text).toSorted((a, b) => b.length - a.length);
    expect(texts[0]).toContain("Content-Type: application/pdf; name=F-2026-0001.pdf");
    expect(texts[0]).toContain(Buffer.from("%PDF-1.7").toString("base64").replaceAll("=", ""));
    expect(texts[0]).toContain("Content-Type: text/xml; name=F-2026-0001.xml");
    expect(texts[0]).toContain("Hello, Maria.");
    expect(texts[1]).not.toContain("application/pdf");
  });

  test("the delivery of mail sends a message whose document does not exist, without it", async () => {
    const server = await mailServer();
    await put({ attachment: "invoice:inv_none" });
    await deliveryTo(server.url).run();
    expect(server.received).toHaveLength(1);
  });

  test("the delivery of mail retries when a document cannot be drawn, and sends other messages", async () => {
    const server = await mailServer();
    await put({ attachment: "invoice:inv_1" });
    await put();
    await deliveryTo(server.url, 500, () => Promise.reject(new Error("no font"))).run();
    expect(server.received).toHaveLength(1);
    const failed = (await rows()).find(({ attachment }) => attachment !== null);
    expect(failed).toMatchObject({ attempts: 1, sent_at: null, failed_at: null, last_error: "Error: no font" });
  });

  test("the delivery of mail sends each message once when several processes run at once", async () => {
    const server = await mailServer();
    for (let count = 0; count < 15; count++) await put({ to: `user${count}@example.com` });
    await Promise.all(Array.from({ length: 5 }, () => deliveryTo(server.url).run()));
    expect(server.received.flatMap(({ to }) => to).sort()).toEqual(
      Array.from({ length: 15 }, (_, index) => `user${index}@example.com`).sort(),
    );
  });

  test("the delivery of mail retries after a temporary rejection and stores the reason in the outbox", async () => {
    const server = await mailServer([451, 421]);
    await put();
    const delivery = deliveryTo(server.url);
    await delivery.run();
    expect(await row()).toMatchObject({ attempts: 1, sent_at: null, failed_at: null });
    expect((await row())?.last_error).toContain("not now");
    await delivery.run();
    expect((await row())?.attempts).toBe(1);
    clock.at += MINUTE_MS;
    await delivery.run();
    expect((await row())?.attempts).toBe(2);
    clock.at += 5 * MINUTE_MS;
    await delivery.run();
    expect(await row()).toMatchObject({ attempts: 3, sent_at: clock.now(), last_error: null });
    expect(server.received).toHaveLength(1);
  });

  test("the delivery of mail gives up after a permanent rejection and continues with other messages", async () => {
    const server = await mailServer([550]);
    await put();
    await put({ to: "other@example.com" });
    await deliveryTo(server.url).run();
    expect((await rows()).map(({ failed_at, sent_at }) => [failed_at !== null, sent_at !== null]).sort()).toEqual([
      [false, true],
      [true, false],
    ]);
    expect(warnings).toHaveLength(1);
  });

  test("the delivery of mail gives up after several attempts with increasing delays", async () => {
    const server = await mailServer(Array<number>(20).fill(451));
    await put();
    const delivery = deliveryTo(server.url);
    const pauses: number[] = [];
    for (let count = 0; count < 10; count++) {
      await delivery.run();
      const now = await row();
      if (!now || now.failed_at) break;
      pauses.push((now.send_after.getTime() - clock.at) / MINUTE_MS);
      clock.at = now.send_after.getTime();
    }
    expect(pauses).toEqual([1, 5, 15, 60, 360]);
    expect(await row()).toMatchObject({ attempts: 6, failed_at: clock.now(), sent_at: null });
    expect(server.received).toHaveLength(0);
  });

  test.each([
    ["says nothing", ""],
    ["greets and says nothing more", "220 hello\r\n"],
  ])(
    "the delivery of mail gives up waiting for a server that %s, and tries it once per run",
    async (_what, greeting) => {
      const server = await silentServer(greeting);
      for (let count = 0; count < 3; count++) await put();
      await deliveryTo(server.url, 200).run();
      expect((await rows()).map(({ attempts }) => attempts).sort()).toEqual([0, 0, 1]);
    },
  );

  test("the delivery of mail survives an unreachable server", async () => {
    await put();
    await deliveryTo("smtp://127.0.0.1:9").run();
    expect(await row()).toMatchObject({ attempts: 1, sent_at: null, failed_at: null });
    clock.at += MINUTE_MS;
    await deliveryTo((await mailServer()).url).run();
    expect((await row())?.sent_at).toEqual(clock.now());
  });

  test("the delivery of mail authenticates with the credentials in the URL and retries if they are rejected", async () => {
    const onAuth: MailServerOptions["onAuth"] = ({ username, password }, _session, callback) =>
      password === "right" ? callback(null, { user: username }) : callback(new Error("no"));
    const server = await mailServer([], { onAuth, allowInsecureAuth: true, authOptional: false });
    const as = (credentials: string) => server.url.replace("://", `://${credentials}@`);
    await put();
    await deliveryTo(as("feather:wrong")).run();
    expect(await row()).toMatchObject({ attempts: 1, sent_at: null, failed_at: null });
    clock.at += MINUTE_MS;
    await deliveryTo(as("feather:right")).run();
    expect(server.received[0]).toMatchObject({ user: "feather" });
  });

  test("the delivery of mail uses STARTTLS if the server offers it", async () => {
    const server = await mailServer([], { disabledCommands: [] });
    await put();
    await deliveryTo(`${server.url}?tls.rejectUnauthorized=false`, 3_000).run();
    expect(await row()).toMatchObject({ sent_at: clock.now() });
    expect(server.received[0]?.secure).toBe(true);
  });

  test("the delivery of mail rejects an untrusted certificate", async () => {
    const server = await mailServer([], { disabledCommands: [] });
    await put();
    await deliveryTo(server.url, 3_000).run();
    expect(await row()).toMatchObject({ sent_at: null, failed_at: null });
    expect(server.received).toHaveLength(0);
  });

  test("the delivery of mail removes links from messages that were sent or given up", async () => {
    const token = createSecret("one");
    const server = await mailServer([250, 550]);
    await put({ text: `Open https://feather.example/x?token=${token} now.` });
    await put({ text: `Open https://feather.example/x?token=${token} now.` });
    await deliveryTo(server.url).run();
    expect(server.received[0]?.text).toContain(token);
    expect(JSON.stringify(await rows())).not.toContain(token);
    expect((await row())?.body).toBe("Open https://feather.example/x?token=(removed) now.");
  });

  test("the delivery of mail prevents header injection by address and subject", async () => {
    const server = await mailServer();
    await put({ subject: "Hello\r\nBcc: evil@example.com", to: "maria@example.com" });
    await deliveryTo(server.url).run();
    expect(server.received[0]?.to).toEqual(["maria@example.com"]);
    expect(server.received[0]?.text).not.toMatch(/^Bcc:/m);
  });

  test("the delivery of mail keeps messages in the outbox without a mail server and logs their links", async () => {
    const logged: object[] = [];
    const outbox = createOutbox(database.db, clock, randomIds, {
      log: { info: (what: object) => void logged.push(what) } as never,
      withLinks: true,
    });
    await outbox.add({
      kind: "password_reset",
      to: "maria@example.com",
      subject: "Reset",
      text: "Here:\n\nhttps://feather.example/reset-password?token=one_x\n\nOnce.",
    });
    await deliveryTo(null).run();
    expect(await row()).toMatchObject({ attempts: 0, sent_at: null, failed_at: null });
    expect(logged).toEqual([
      { kind: "password_reset", to: "maria@example.com", link: "https://feather.example/reset-password?token=one_x" },
    ]);
  });

  test("the delivery of mail logs neither link nor address on a server that other machines can reach", async () => {
    const logged: object[] = [];
    const log = { info: (what: object) => void logged.push(what) } as never;
    const outbox = createOutbox(database.db, clock, randomIds, { log, withLinks: false });
    const text = "https://feather.example/reset-password?token=one_x";
    await outbox.add({ kind: "password_reset", to: "maria@example.com", subject: "Reset", text });
    expect(logged).toEqual([{ kind: "password_reset" }]);
  });

  test("the delivery of mail sends nothing from a transaction that was rolled back", async () => {
    const outbox = createOutbox(database.db, clock, randomIds);
    const message: Message = { kind: "receipt", to: "a@example.com", subject: "s", text: "t" };
    await database.db
      .transaction()
      .execute(async (trx) => {
        await outbox.add(message, trx);
        throw new Error("undone");
      })
      .catch(() => {});
    expect(await rows()).toHaveLength(0);
  });
});
