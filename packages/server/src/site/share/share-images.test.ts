import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { AppError } from "../../platform/core/errors/index.ts";
import type { ImageRenderer } from "./image-renderer.ts";
import { computeVersion, type ShareCard, toDrawableCard } from "./share-card.ts";
import { createShareImages } from "./share-images.ts";

const card = (title: string, fields: Partial<ShareCard> = {}): ShareCard => ({
  kind: "Model",
  owner: "qwen/",
  title,
  text: null,
  facts: [],
  ...fields,
});

/** Creates a slow renderer that draws nothing and records its requests. */
function fakeArtist() {
  const drawn: string[] = [];
  let now = 0;
  let most = 0;
  const artist: ImageRenderer = {
    async render({ card: { title } }) {
      now += 1;
      most = Math.max(most, now);
      await sleep(1);
      now -= 1;
      drawn.push(title);
      if (title === "fails") throw new Error("no");
      return new Uint8Array(1024);
    },
    close: async () => {},
  };
  return { artist, drawn, most: () => most };
}

describe("share images", () => {
  test("share images are rendered one after the other, each once", async () => {
    const { artist, drawn, most } = fakeArtist();
    const images = createShareImages(artist, "Feather");
    await Promise.all(["a", "b", "a", "c", "b"].map((title) => images.getPng(card(title))));
    await images.getPng(card("a"));
    expect(drawn).toEqual(["a", "b", "c"]);
    expect(most()).toBe(1);
  });

  test("share images that fail to render do not block others, and are retried", async () => {
    const { artist, drawn } = fakeArtist();
    const images = createShareImages(artist, "Feather");
    const [failed, fine] = await Promise.allSettled([images.getPng(card("fails")), images.getPng(card("fine"))]);
    expect([failed.status, fine.status]).toEqual(["rejected", "fulfilled"]);
    await expect(images.getPng(card("fails"))).rejects.toThrow();
    expect(drawn).toEqual(["fails", "fine", "fails"]);
  });

  test("share images are refused with 503 when too many are waiting", async () => {
    const images = createShareImages(fakeArtist().artist, "Feather");
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) => images.getPng(card(`m${index}`))),
    );
    const refused = results.filter((result) => result.status === "rejected").map(({ reason }) => reason as AppError);
    expect(refused).toHaveLength(100 - 32);
    expect(refused[0]).toBeInstanceOf(AppError);
    expect([refused[0]?.status, refused[0]?.headers]).toEqual([503, { "retry-after": "5" }]);
  });

  test.each([
    ["its title", card("b"), "Feather"],
    ["a fact", card("a", { facts: [{ label: "Size", value: "7B" }] }), "Feather"],
    ["the name of the product", card("a"), "Quill"],
  ])("share images have another version with %s", (_what, other, productName) => {
    expect(computeVersion(other, productName)).not.toBe(computeVersion(card("a"), "Feather"));
  });
});

describe("toDrawableCard", () => {
  test.each([
    ["keeps Latin letters", "Qwen3-32B", "Qwen3-32B"],
    ["keeps letters with diacritics", "Żółć, ñandú and naïve", "Żółć, ñandú and naïve"],
    ["composes combining diacritics", "nai\u0308ve", "naïve"],
    ["removes emoji", "Feathers 🪶 and units", "Feathers and units"],
    ["removes a few characters of another script", "Why units 為什麼 matter", "Why units matter"],
    ["rejects a title in another script", "العربية والعبرية", null],
    ["rejects a title of emoji", "🪶🪶🪶", null],
    ["removes control characters", "a\u202eb\u0007c", "abc"],
    ["truncates long titles", "m".repeat(500), `${"m".repeat(119)}…`],
  ])("toDrawableCard %s", (_what, title, expected) => {
    expect(toDrawableCard(card(title))?.title ?? null).toBe(expected);
  });
});
