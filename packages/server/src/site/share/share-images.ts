import { LRUCache } from "lru-cache";
import { AppError } from "../../shared/errors.ts";
import type { Artist } from "./artist.ts";
import { type ShareCard, versionOf } from "./share-card.ts";

const CACHED_BYTES = 16 * 1024 * 1024;
/** Images that may wait to be rendered; further requests are refused with 503. */
const MOST_WAITING = 32;
const COME_BACK_SECONDS = 5;

/** Renders share images one after the other, each once, and caches them up to a limit of bytes. */
export function createShareImages(artist: Artist, productName: string) {
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: CACHED_BYTES,
    sizeCalculation: ({ byteLength }) => byteLength,
  });
  const pending = new Map<string, Promise<Uint8Array>>();
  let last: Promise<unknown> = Promise.resolve();

  async function draw(version: string, card: ShareCard): Promise<Uint8Array> {
    const drawn = last.then(() => artist.draw({ card, productName }));
    last = drawn.catch(() => undefined);
    const png = await drawn;
    kept.set(version, png);
    return png;
  }

  return {
    version: (card: ShareCard): string => versionOf(card, productName),

    async png(card: ShareCard): Promise<Uint8Array> {
      const version = versionOf(card, productName);
      const here = kept.get(version) ?? pending.get(version);
      if (here) return here;
      if (pending.size >= MOST_WAITING) throw busy();
      const drawn = draw(version, card).finally(() => pending.delete(version));
      pending.set(version, drawn);
      return drawn;
    },

    close: () => artist.close(),
  };
}

export type ShareImages = ReturnType<typeof createShareImages>;

const busy = () =>
  new AppError(503, "busy", "Many pictures are being drawn just now. Ask again in a few seconds.", {
    headers: { "retry-after": String(COME_BACK_SECONDS) },
  });
