import { describe, expect, test } from "vitest";
import { listPartPaths, parsePartName } from "./split-files.ts";

describe("the name of a part of a model file", () => {
  test("the name of a part of a model file says which part it is, and of how many", () => {
    expect(parsePartName("Q8_0/m-Q8_0-00002-of-00013.gguf")).toEqual({ prefix: "Q8_0/m-Q8_0", number: 2, count: 13 });
  });

  test.each(["m.gguf", "m-00000-of-00002.gguf", "m-00003-of-00002.gguf", "m-1-of-2.gguf", "m-00001-of-99999.gguf"])(
    "the name of a part of a model file is not %s",
    (path) => {
      expect(parsePartName(path)).toBeNull();
    },
  );

  test("the name of a part of a model file gives the paths of all parts", () => {
    const parts = ["/d/m-00001-of-00003.gguf", "/d/m-00002-of-00003.gguf", "/d/m-00003-of-00003.gguf"];
    for (const part of parts) expect(listPartPaths(part)).toEqual(parts);
    expect(listPartPaths("/d/m.gguf")).toEqual(["/d/m.gguf"]);
  });
});
