import { describe, expect, test } from "vitest";
import type { HubFile } from "../../hub/index.ts";
import { chooseFile } from "./choose-file.ts";

const filesOf = (sizes: Record<string, number>): HubFile[] =>
  Object.entries(sizes).map(([path, size]) => ({ path, size, sha256: null }));
const ALL = filesOf({
  "m-BF16.gguf": 160,
  "m-Q8_0.gguf": 85,
  "m-Q5_K_M.gguf": 57,
  "m-Q4_K_M.gguf": 50,
  "m-Q4_0.gguf": 47,
  "m-Q3_K_M.gguf": 40,
  "m-IQ2_XXS.gguf": 24,
});
const chosenPath = (files: HubFile[], maxBytes = 1000) => chooseFile(files, { maxBytes })?.path ?? null;

describe("the file of a repository", () => {
  test.each([
    [1000, "m-Q8_0.gguf"],
    [84, "m-Q5_K_M.gguf"],
    [56, "m-Q4_K_M.gguf"],
    [49, "m-Q4_0.gguf"],
  ])("the file of a repository is the best quantization that fits into %i bytes", (maxBytes, path) => {
    expect(chosenPath(ALL, maxBytes)).toBe(path);
  });

  test("the file of a repository has at least four bits, unless it is asked for: otherwise the model is too large", () => {
    expect(() => chosenPath(ALL, 46)).toThrow("The smallest file is m-Q4_0.gguf");
    const choice = { quantization: "Q3_K_M", maxBytes: 46 };
    expect(chooseFile(ALL, choice)?.path).toBe("m-Q3_K_M.gguf");
  });

  test("the file of a repository may have fewer bits where the repository has no other", () => {
    expect(chosenPath(filesOf({ "m-Q2_K.gguf": 30, "m-Q3_K_S.gguf": 40 }))).toBe("m-Q2_K.gguf");
    expect(() => chosenPath(filesOf({ "m-Q2_K.gguf": 30 }), 20)).toThrow("m-Q2_K.gguf");
  });

  test.each<[string, string[], string | null]>([
    ["16-bit weights only where there are no others", ["m-F16.gguf"], "m-F16.gguf"],
    ["a file whose name says nothing", ["sub/strange.gguf"], "sub/strange.gguf"],
    [
      "a split file, by its first part",
      ["Q8_0/m-Q8_0-00002-of-00002.gguf", "Q8_0/m-Q8_0-00001-of-00002.gguf", "m-Q4_1.gguf"],
      "Q8_0/m-Q8_0-00001-of-00002.gguf",
    ],
    ["no split file of which a part is missing", ["m-Q8_0-00001-of-00002.gguf", "m-Q4_1.gguf"], "m-Q4_1.gguf"],
    ["no projector and no importance matrix", ["mmproj-F16.gguf", "imatrix.gguf"], null],
    ["nothing that is no GGUF file", ["model.safetensors", "README.md"], null],
    ["a quantization in small letters", ["m.f16.gguf", "m.q4_k_m.gguf"], "m.q4_k_m.gguf"],
    ["the larger variant of four bits", ["m-Q4_0.gguf", "m-UD-Q4_K_XL.gguf", "m-MXFP4_MOE.gguf"], "m-UD-Q4_K_XL.gguf"],
    ["the native format of a model", ["gpt-oss-20b-mxfp4.gguf", "gpt-oss-20b-Q2_K.gguf"], "gpt-oss-20b-mxfp4.gguf"],
  ])("the file of a repository is %s", (_, paths, path) => {
    expect(chosenPath(filesOf(Object.fromEntries(paths.map((name) => [name, 10]))))).toBe(path);
  });

  test("the file of a repository is the requested one, also where it does not fit", () => {
    const files = filesOf({ "a.gguf": 10, "b.gguf": 500 });
    expect(chooseFile(files, { path: "b.gguf", maxBytes: 20 })?.path).toBe("b.gguf");
    expect(chooseFile(ALL, { quantization: "BF16", maxBytes: 20 })?.path).toBe("m-BF16.gguf");
  });

  test("the file of a repository is of the requested quantization with the same prefix, or else of that type", () => {
    const files = filesOf({ "m-Q4_K_M.gguf": 10, "m-UD-Q4_K_M.gguf": 5, "m-UD-Q4_K_XL.gguf": 12 });
    const pathOf = (quantization: string) => chooseFile(files, { quantization, maxBytes: 100 })?.path;
    expect(pathOf("Q4_K_M")).toBe("m-Q4_K_M.gguf");
    expect(pathOf("UD-Q4_K_M")).toBe("m-UD-Q4_K_M.gguf");
    expect(pathOf("Q4_K_XL")).toBe("m-UD-Q4_K_XL.gguf");
    expect(() => pathOf("UD-Q5_K_M")).toThrow("no file UD-Q5_K_M");
  });

  test("the file of a repository has the size of all its parts, and is found by any of them", () => {
    const sizes = { "m-Q8_0-00001-of-00002.gguf": 60, "m-Q8_0-00002-of-00002.gguf": 40, "m-Q4_0.gguf": 50 };
    const files = filesOf(sizes);
    expect(chosenPath(files, 100)).toBe("m-Q8_0-00001-of-00002.gguf");
    expect(chosenPath(files, 99)).toBe("m-Q4_0.gguf");
    const second = chooseFile(files, { path: "m-Q8_0-00002-of-00002.gguf", maxBytes: 1 });
    expect(second).toMatchObject({ path: "m-Q8_0-00001-of-00002.gguf", size: 100, sha256: null });
    expect(second?.parts.map(({ size }) => size)).toEqual([60, 40]);
    expect(chooseFile(files, { quantization: "Q8_0", maxBytes: 1 })).toMatchObject({ size: 100 });
  });

  test("the file of a repository has a checksum of its own if it is split, which depends on those of all its parts", () => {
    const split = (checksums: string[]) =>
      checksums.map((sha256, index) => ({ path: `m-0000${index + 1}-of-00002.gguf`, size: 1, sha256 }));
    const sha256Of = (files: HubFile[]) => chooseFile(files, { maxBytes: 10 })?.sha256;
    const [a, b] = ["a".repeat(64), "b".repeat(64)];
    expect(sha256Of(split([a, b]))).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set([sha256Of(split([a, b])), sha256Of(split([b, a])), a, b]).size).toBe(4);
    expect(sha256Of([{ path: "m.gguf", size: 1, sha256: a }])).toBe(a);
  });

  test.each([
    [{ path: "m-Q8_0-00001-of-00003.gguf" }],
    [{ path: "m-Q8_0-00003-of-00003.gguf" }],
    [{ quantization: "Q8_0" }],
    [{}],
  ])("a file that lacks a part is refused with the part's name: %j", (choice) => {
    const files = filesOf({ "m-Q8_0-00001-of-00003.gguf": 5, "m-Q8_0-00003-of-00003.gguf": 5 });
    expect(() => chooseFile(files, { ...choice, maxBytes: 100 })).toThrow(
      "m-Q8_0-00001-of-00003.gguf is the first of 3 files that belong together, and the repository lacks m-Q8_0-00002-of-00003.gguf.",
    );
  });

  test("a requested file that the repository does not have is refused with those that it has", () => {
    expect(() => chooseFile(filesOf({ "a.gguf": 10 }), { path: "c.gguf", maxBytes: 20 })).toThrow("It has: a.gguf");
    expect(() => chooseFile(ALL, { quantization: "Q6_K", maxBytes: 20 })).toThrow("no file Q6_K");
    expect(() => chooseFile(filesOf({ "a.txt": 10 }), { path: "a.txt", maxBytes: 20 })).toThrow("no file a.txt");
  });
});
