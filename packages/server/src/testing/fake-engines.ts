import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EngineEvents, EngineModel, StartEngine } from "../hosting/runtimes/processes/model-process.ts";

/** A fake engine that was started, with which tests control it. */
type FakeEngine = {
  model: EngineModel;
  events: EngineEvents;
  stopped: boolean;
  /** Starts responding. */
  ready(): Promise<void>;
  /** Stops responding without an event. */
  goSilent(): void;
  /** Exits unexpectedly and announces its restart. */
  crash(reason?: string, restartsInMs?: number): void;
};

/** Fakes the processes that run models. Each answers every chat with its own number. */
export function createFakeEngines() {
  const folder = mkdtempSync(join(tmpdir(), "fake-engines-"));
  const all: FakeEngine[] = [];
  const servers = new Set<Server>();
  let stopGate: Promise<void> = Promise.resolve();
  let startsAutomatically = true;

  const start: StartEngine = (model, events) => {
    const socketPath = join(folder, String(all.length));
    const content = `engine ${all.length}`;
    let server: Server | undefined;
    const end = () => {
      server?.closeAllConnections();
      server?.close();
      server = undefined;
    };
    const engine: FakeEngine = {
      model,
      events,
      stopped: false,
      async ready() {
        server ??= serve(model.id, content);
        servers.add(server);
        const listening = server;
        rmSync(socketPath, { force: true });
        await new Promise<void>((resolve) => listening.listen(socketPath, resolve));
        events.line?.("ready");
        if (!engine.stopped) events.ready(socketPath);
      },
      goSilent: end,
      crash(reason = "It fell over.", restartsInMs = 1_000) {
        end();
        events.line?.(reason);
        events.exited(reason, restartsInMs);
      },
    };
    all.push(engine);
    if (startsAutomatically) setTimeout(() => engine.stopped || void engine.ready(), 5);
    return {
      async stop() {
        engine.stopped = true;
        end();
        await stopGate;
      },
    };
  };

  return {
    start,
    all,
    /** From now on, started engines only become ready when the test calls `ready`. */
    holdStarts(): void {
      startsAutomatically = false;
    },
    releaseStarts(): void {
      startsAutomatically = true;
    },
    /** From now on, `stop` waits until the returned function is called. */
    holdStops(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      stopGate = promise;
      return () => {
        stopGate = Promise.resolve();
        resolve();
      };
    },
    running: () => all.filter(({ stopped }) => !stopped),
    close(): void {
      for (const server of servers) server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function serve(model: string, content: string): Server {
  return createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "application/json" });
      const choice = { index: 0, message: { role: "assistant", content }, finish_reason: "stop" };
      const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
      response.end(JSON.stringify({ id: "x", object: "chat.completion", created: 1, model, choices: [choice], usage }));
    });
  });
}
