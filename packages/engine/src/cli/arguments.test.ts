import { expect, test } from "vitest";
import { parseArguments, UsageError } from "./arguments.ts";

test("parses a socket with defaults", () => {
  expect(parseArguments(["serve", "m.gguf", "--socket", "/run/e.sock"])).toEqual({
    name: "serve",
    arguments: {
      modelPath: "m.gguf",
      address: { type: "socket", path: "/run/e.sock" },
      modelId: undefined,
      contextLength: undefined,
      sequences: 4,
      threads: undefined,
      gpu: undefined,
      stopWithStdin: false,
    },
  });
});

test("parses a port and every option", () => {
  const line =
    "serve m.gguf --port 0 --host ::1 --model-id a/b --context 512 --sequences 2 --threads 3 --gpu vulkan --stop-with-stdin";
  expect(parseArguments(line.split(" "))).toMatchObject({
    arguments: {
      address: { type: "tcp", host: "::1", port: 0 },
      modelId: "a/b",
      contextLength: 512,
      sequences: 2,
      threads: 3,
      gpu: "vulkan",
      stopWithStdin: true,
    },
  });
});

test("parses the check of a file", () => {
  expect(parseArguments(["check", "m.gguf"])).toEqual({ name: "check", modelPath: "m.gguf" });
});
test("parses the question for graphics cards", () => {
  expect(parseArguments(["gpu", "cuda"])).toEqual({ name: "gpu", gpu: "cuda", modelPath: undefined });
  expect(parseArguments(["gpu", "vulkan", "m.gguf"])).toEqual({ name: "gpu", gpu: "vulkan", modelPath: "m.gguf" });
});
test("help takes precedence over all other arguments", () => {
  expect(parseArguments(["--help"])).toEqual({ name: "help" });
});

test.each([
  ["nothing", ""],
  ["an unknown command", "run m.gguf --port 1"],
  ["no file", "serve --port 1"],
  ["two files", "serve a.gguf b.gguf --port 1"],
  ["no address", "serve a.gguf"],
  ["two addresses", "serve a.gguf --port 1 --socket x"],
  ["a port out of range", "serve a.gguf --port 70000"],
  ["a port that is no number", "serve a.gguf --port 1e3"],
  ["no sequences", "serve a.gguf --port 1 --sequences 0"],
  ["an unknown option", "serve a.gguf --port 1 --tpu"],
  ["an unknown kind of graphics card", "serve a.gguf --port 1 --gpu opengl"],
  ["a download of nothing", "fetch /models"],
  ["a download from no address of the web", "fetch /models file:///etc/passwd"],
  ["the question for a graphics card without a kind", "gpu"],
])("rejects %s", (_name, line) => {
  expect(() => parseArguments(line.split(" ").filter(Boolean))).toThrow(UsageError);
});

test("reads what to download", () => {
  const urls = ["https://hub/a/b/resolve/main/m.gguf"];
  expect(parseArguments(["fetch", "/models", ...urls])).toEqual({ name: "fetch", folder: "/models", urls });
});
