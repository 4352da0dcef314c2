import { Worker } from "node:worker_threads";
import { MINUTE_MS } from "../../platform/core/time.ts";
import type { RenderRequest, RenderResponse } from "./draw-worker.ts";

/** Renders share images in a worker thread, one at a time. */
export type ImageRenderer = { render(request: RenderRequest): Promise<Uint8Array>; close(): Promise<void> };

/** The time limit of rendering in milliseconds. An image takes tens of milliseconds. */
const RENDER_TIMEOUT_MS = 10_000;
/** The time in milliseconds after which an idle worker ends, which frees the memory of fonts and libraries. */
const IDLE_TIMEOUT_MS = MINUTE_MS;
const MEMORY_LIMIT_MB = 128;

/** Creates a renderer. It starts the worker for the first image, and ends it when it is idle. */
export function createImageRenderer(): ImageRenderer {
  let worker: Worker | null = null;
  let idleTimer: NodeJS.Timeout | undefined;

  async function stop(): Promise<void> {
    clearTimeout(idleTimer);
    const stoppedWorker = worker;
    worker = null;
    await stoppedWorker?.terminate();
  }

  function start(): Worker {
    const startedWorker = new Worker(new URL("./draw-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
    });
    startedWorker.unref();
    return startedWorker;
  }

  return {
    async render(request) {
      clearTimeout(idleTimer);
      worker ??= start();
      try {
        const response = await requestImage(worker, request);
        if ("fault" in response) throw new Error(response.fault);
        idleTimer = setTimeout(() => void stop(), IDLE_TIMEOUT_MS).unref();
        return response.png;
      } catch (error) {
        await stop();
        throw error;
      }
    },
    close: stop,
  };
}

function requestImage(worker: Worker, request: RenderRequest): Promise<RenderResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RenderResponse>();
  const timer = setTimeout(() => reject(new Error("The picture took too long.")), RENDER_TIMEOUT_MS);
  const onExit = () => reject(new Error("The thread that draws ended."));
  worker.once("message", resolve).once("error", reject).once("exit", onExit);
  worker.postMessage(request);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off("message", resolve).off("error", reject).off("exit", onExit);
  });
}
