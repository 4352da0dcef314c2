import { expect, test } from "vitest";
import { formatBytes, formatProgress } from "./format-bytes.ts";

test.each([
  [0, "0 kB"],
  [1_500, "2 kB"],
  [812_400_000, "812 MB"],
  [4_700_000_000, "4.7 GB"],
  [140e9, "140 GB"],
  [2.2e12, "2.2 TB"],
])("formats %d bytes as %s", (value, words) => {
  expect(formatBytes(value)).toBe(words);
});

test.each<[number, number | null, string]>([
  [1000, 5000, "20 %"],
  [4999, 5000, "99 %"],
  [0, 0, ""],
  [10, null, ""],
])("formats the progress %d of %j as %j", (bytes_done, bytes_total, words) => {
  expect(formatProgress({ bytes_done, bytes_total })).toBe(words);
});
