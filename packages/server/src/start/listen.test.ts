import { fork } from "node:child_process";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { Worker } from "node:worker_threads";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { assertAddressAvailable, canSharePort, listen } from "./listen.ts";

test("reports a port that is in use, and frees one that is not", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const address = { port, host: "127.0.0.1" };
  await expect(assertAddressAvailable(address)).rejects.toThrow(`Port ${port} is in use`);
  other.close();
  await once(other, "close");
  await assertAddressAvailable(address);
  await assertAddressAvailable(address);
});

test.each([
  ["192.0.2.1", "192.0.2.1 is no address of this machine"],
  ["nowhere.invalid", "FEATHER_HOST=nowhere.invalid is no address"],
])("the error names the setting when the server cannot listen on %s", async (host, message) => {
  await expect(assertAddressAvailable({ port: 0, host })).rejects.toThrow(message);
});

test("a server that listens on localhost answers at each address of it", async () => {
  const app = Fastify({ serverFactory: (handle) => createHttpServer(handle) });
  app.get("/", async () => "yes");
  await listen(app, { port: 0, host: "localhost" }, { reusePort: false });
  const { port } = app.server.address() as AddressInfo;
  for (const { address, family } of await lookup("localhost", { all: true })) {
    const response = await fetch(`http://${family === 6 ? `[${address}]` : address}:${port}`);
    expect([address, await response.text()]).toEqual([address, "yes"]);
  }
  await app.close();
});

/** Connects callers in a separate thread and counts them in shared memory. */
const CALLERS = `
  const { workerData: { port, callers, connected } } = require("node:worker_threads");
  const { connect } = require("node:net");
  for (let caller = 0; caller < callers; caller++)
    connect(port, "127.0.0.1", () => {
      Atomics.add(connected, 0, 1);
      Atomics.notify(connected, 0);
    }).on("error", () => {});
`;

test("a server that is busy keeps a thousand callers waiting, and loses none", async () => {
  const app = Fastify();
  await listen(app, { port: 0, host: "127.0.0.1" }, { reusePort: false });
  const callers = 1_000;
  const connected = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const { port } = app.server.address() as AddressInfo;
  const worker = new Worker(CALLERS, { eval: true, workerData: { port, callers, connected } });
  await once(worker, "online");
  // Blocks this thread, and with it the server, until all callers are connected.
  for (let count = 0; count < callers; count = Atomics.load(connected, 0))
    if (Atomics.wait(connected, 0, count, 30_000) === "timed-out") break;
  expect(connected[0]).toBe(callers);
  await worker.terminate();
  await app.close();
});

test("several processes can listen on one port where the system has SO_REUSEPORT for that", async () => {
  expect(await canSharePort("127.0.0.1")).toBe(process.platform === "linux");
});

test("a process takes connections from the listener of another one, which stays open when that process ends", async () => {
  const app = Fastify();
  app.get("/", () => process.pid);
  await listen(app, { port: 0, host: "127.0.0.1" }, { reusePort: false });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const ask = async () =>
    Number(await (await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close" } })).text());

  const child = fork(new URL("../testing/listening-process.ts", import.meta.url));
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "message");
  child.send("listener", app.server);
  while ((await ask()) !== child.pid);

  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await ask()).toBe(process.pid);
});
