import { Worker } from "node:worker_threads";
import type { Drawn, Order } from "./draw-worker.ts";

/** Renders share images in a worker thread, one at a time. */
export type Artist = { draw(order: Order): Promise<Uint8Array>; close(): Promise<void> };

/** In milliseconds. An image takes tens of milliseconds; after this limit rendering has failed. */
const TIME_LIMIT = 10_000;
/** In milliseconds. Without requests the worker ends, which frees the memory of fonts and libraries. */
const IDLE_LIMIT = 60_000;
const MEMORY_LIMIT_MB = 128;

/** Starts the worker with the first image, and ends it when idle. */
export function createArtist(): Artist {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ended = worker;
    worker = null;
    await ended?.terminate();
  }

  function begin(): Worker {
    const begun = new Worker(new URL("./draw-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
    });
    begun.unref();
    return begun;
  }

  return {
    async draw(order) {
      clearTimeout(idle);
      worker ??= begin();
      try {
        const drawn = await answerOf(worker, order);
        if ("fault" in drawn) throw new Error(drawn.fault);
        idle = setTimeout(() => void end(), IDLE_LIMIT).unref();
        return drawn.png;
      } catch (error) {
        await end();
        throw error;
      }
    },
    close: end,
  };
}

function answerOf(worker: Worker, order: Order): Promise<Drawn> {
  const { promise, resolve, reject } = Promise.withResolvers<Drawn>();
  const timer = setTimeout(() => reject(new Error("The picture took too long.")), TIME_LIMIT);
  const onExit = () => reject(new Error("The thread that draws ended."));
  worker.once("message", resolve).once("error", reject).once("exit", onExit);
  worker.postMessage(order);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off("message", resolve).off("error", reject).off("exit", onExit);
  });
}
