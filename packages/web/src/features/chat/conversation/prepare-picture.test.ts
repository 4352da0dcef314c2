import { expect, test, vi } from "vitest";
import { type DrawPicture, preparePicture } from "./prepare-picture.ts";

/** Draws pictures whose size in bytes is a number, by type, times the pixels of the longer side. */
const drawing = (bytesOf: Record<string, number>) =>
  vi.fn<DrawPicture>(async (_, { maxSide, type }) => new Blob(["x".repeat(maxSide * (bytesOf[type] ?? 0))], { type }));
const attempts = (draw: ReturnType<typeof drawing>) => draw.mock.calls.map(([, { maxSide, type }]) => [maxSide, type]);
const picture = (type: string) => new Blob(["x"], { type });

test("a photograph that is small enough is drawn once, as JPEG", async () => {
  const draw = drawing({ "image/jpeg": 1 });
  const { type, size } = await preparePicture(picture("image/jpeg"), 2048, draw);
  expect([type, size, attempts(draw)]).toEqual(["image/jpeg", 2048, [[2048, "image/jpeg"]]]);
});

test.each(["image/png", "image/webp"])("a picture of the type %s stays without loss where it fits", async (type) => {
  const draw = drawing({ "image/png": 1, "image/jpeg": 1 });
  expect((await preparePicture(picture(type), 4000, draw)).type).toBe("image/png");
});

test("a picture that takes too many bytes is drawn with loss, and then smaller", async () => {
  const draw = drawing({ "image/png": 10, "image/jpeg": 2 });
  const { type, size } = await preparePicture(picture("image/png"), 3000, draw);
  expect([type, size]).toEqual(["image/jpeg", 2048]);
  expect(attempts(draw)).toEqual([
    [2048, "image/png"],
    [2048, "image/jpeg"],
    [1024, "image/png"],
    [1024, "image/jpeg"],
  ]);
});

test("a picture that never fits is refused, after a bounded number of attempts", async () => {
  const draw = drawing({ "image/jpeg": 100 });
  await expect(preparePicture(picture("image/jpeg"), 10, draw)).rejects.toThrow("small enough");
  expect(attempts(draw)).toHaveLength(4);
});
