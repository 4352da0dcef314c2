import { Worker } from "node:worker_threads";
import type { Drawn, Order } from "./draw-worker.ts";

/** Draws one picture at a time. */
export type Artist = { draw(order: Order): Promise<Uint8Array>; close(): Promise<void> };

/** A picture takes tens of milliseconds; one that takes this long will never be ready. */
const TIME_LIMIT = 10_000;
/** Fonts and libraries are not kept in memory for pictures that nobody asks for. */
const IDLE_LIMIT = 60_000;
const MEMORY_LIMIT_MB = 128;

/** Draws in a thread of its own, which begins with the first picture and ends when there was none for a while. */
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
