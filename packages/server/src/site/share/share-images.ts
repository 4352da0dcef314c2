import { LRUCache } from "lru-cache";
import { errors } from "../../platform/core/errors/index.ts";
import type { ImageRenderer } from "./image-renderer.ts";
import { computeVersion, type ShareCard } from "./share-card.ts";

const CACHE_BYTES = 16 * 1024 * 1024;
/** The number of images that may wait to be rendered. Further requests are refused with 503. */
const MAX_PENDING = 32;
const RETRY_AFTER_SECONDS = 5;

/** Creates the share images. They are rendered one after the other, each once, and cached up to a limit of bytes. */
export function createShareImages(renderer: ImageRenderer, productName: string) {
  const cache = new LRUCache<string, Uint8Array>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ byteLength }) => byteLength,
  });
  const pending = new Map<string, Promise<Uint8Array>>();
  let last: Promise<unknown> = Promise.resolve();

  async function render(getVersion: string, card: ShareCard): Promise<Uint8Array> {
    const rendered = last.then(() => renderer.render({ card, productName }));
    last = rendered.catch(() => undefined);
    const getPng = await rendered;
    cache.set(getVersion, getPng);
    return getPng;
  }

  return {
    getVersion: (card: ShareCard): string => computeVersion(card, productName),

    async getPng(card: ShareCard): Promise<Uint8Array> {
      const getVersion = computeVersion(card, productName);
      const existing = cache.get(getVersion) ?? pending.get(getVersion);
      if (existing) return existing;
      if (pending.size >= MAX_PENDING) throw tooManyPending();
      const rendered = render(getVersion, card).finally(() => pending.delete(getVersion));
      pending.set(getVersion, rendered);
      return rendered;
    },

    close: () => renderer.close(),
  };
}

export type ShareImages = ReturnType<typeof createShareImages>;

const tooManyPending = () =>
  errors.unavailable("Many pictures are being drawn just now. Ask again in a few seconds.", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
