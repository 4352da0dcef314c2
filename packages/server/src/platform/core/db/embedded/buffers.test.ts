import { expect, test } from "vitest";
import { chooseSharedBuffers } from "./buffers.ts";

const GIGABYTE_BYTES = 1024 ** 3;

test.each([
  [0.5, "128MB"],
  [1, "128MB"],
  [4, "512MB"],
  [64, "1024MB"],
])("a machine with %s GB has buffers of %s for the database", (gigabytes, buffers) => {
  expect(chooseSharedBuffers(gigabytes * GIGABYTE_BYTES)).toBe(buffers);
});
