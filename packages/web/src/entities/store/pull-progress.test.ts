import type { StorePull } from "@feather/sdk";
import { expect, test } from "vitest";
import { formatProgress, formatPullProgress } from "./pull-progress.ts";

const PULL: StorePull = {
  id: "pull_1",
  model_id: "acme/tiny",
  repository: "acme/tiny-GGUF",
  file: "tiny.gguf",
  state: "downloading",
  bytes_done: 1e9,
  bytes_total: 4e9,
  conversion_progress: null,
  organization_id: null,
  error: null,
  created_at: new Date("2026-11-25T10:00:00Z"),
};

test.each([
  [{ state: "queued" }, null, "Waiting for its turn"],
  [{ state: "verifying" }, null, "Comparing the checksum"],
  [{ state: "paused" }, 10e6, "Paused: 1.0 GB of 4.0 GB"],
  [{}, null, "Downloading: 1.0 GB of 4.0 GB"],
  [{}, 0, "Downloading: 1.0 GB of 4.0 GB"],
  [{}, 100e6, "Downloading: 1.0 GB of 4.0 GB, 100 MB/s, 30 s left"],
  [{}, 10e6, "Downloading: 1.0 GB of 4.0 GB, 10.0 MB/s, 5 min left"],
  [{}, 0.5e6, "Downloading: 1.0 GB of 4.0 GB, 500 kB/s, 1.7 h left"],
  [{ state: "converting" }, 10e6, "Converting to GGUF"],
  [{ state: "converting", conversion_progress: 0.456 }, 10e6, "Converting to GGUF: 46 %"],
  [{ bytes_total: null }, 10e6, "Downloading: 1.0 GB, 10.0 MB/s"],
] satisfies [Partial<StorePull>, number | null, string][])(
  "a download that is %o at %s bytes a second says %s",
  (fields, rate, text) => {
    expect(formatPullProgress({ ...PULL, ...fields }, rate)).toBe(text);
  },
);

test.each<[number, number | null, string]>([
  [1000, 5000, "20 %"],
  [4999, 5000, "99 %"],
  [0, 0, ""],
  [10, null, ""],
])("formats the progress %d of %j as %j", (bytes_done, bytes_total, text) => {
  expect(formatProgress({ bytes_done, bytes_total })).toBe(text);
});
