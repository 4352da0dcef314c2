import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSealerWithKey } from "./sealing.ts";

const sealer = createSealerWithKey(new Uint8Array(32).fill(7));

test.each([0, 1, 15, 16, 17, 100_000])("%i bytes are the same after they were sealed and opened", (length) => {
  const bytes = randomBytes(length);
  const sealed = sealer.sealBytes(bytes);
  expect(sealer.openBytes(sealed)).toEqual(bytes);
  expect(length > 1 && sealed.includes(bytes)).toBe(false);
});

test("the same bytes are sealed in another way each time", () => {
  expect(sealer.sealBytes(Buffer.from("feather"))).not.toEqual(sealer.sealBytes(Buffer.from("feather")));
});

test("texts are sealed as their bytes in UTF-8", () => {
  const text = "Größe 東京 🪶";
  expect(sealer.open(sealer.seal(text))).toBe(text);
  expect(sealer.openBytes(sealer.seal(text)).toString("utf8")).toBe(text);
});

test.each([0, 12, 20, -1])("what was changed at place %i is refused", (place) => {
  const sealed = sealer.sealBytes(Buffer.from("feathers are light"));
  const at = place < 0 ? sealed.length + place : place;
  sealed[at] = (sealed[at] ?? 0) ^ 1;
  expect(() => sealer.openBytes(sealed)).toThrow();
  expect(() => sealer.open(sealed)).toThrow();
});

test("what was sealed with another key is refused", () => {
  const other = createSealerWithKey(new Uint8Array(32).fill(8));
  expect(() => sealer.openBytes(other.sealBytes(Buffer.from("feathers")))).toThrow();
});
