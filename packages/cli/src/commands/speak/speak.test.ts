import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "feather-speak-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SOUND = "ID3 sound";
const { run, runInteractive, requests } = setupCli({
  "POST /v1/audio/speech": () => ({ headers: { "content-type": "audio/mpeg" }, body: SOUND }),
});

describe("feather speak", () => {
  test("feather speak writes the sound of a text to a file and says its size at a terminal", async () => {
    const file = join(folder, "hello.wav");
    const { code, out, err } = await runInteractive(["speak", "-m", "a/tts", "-o", file, "Hello", "there"]);
    expect([code, out, err.replaceAll(/\s+/g, " ")]).toEqual([0, "", `9 B in ${file} `]);
    expect(readFileSync(file, "utf8")).toBe(SOUND);
    expect(requests()[0]?.body).toEqual({ model: "a/tts", input: "Hello there", response_format: "wav" });
  });

  test("feather speak reads the text from stdin and writes the sound to a pipe", async () => {
    const how = ["--voice", "alloy", "--sound", "flac", "--speed", "2", "--instructions", "Slowly.", "--queue", "30"];
    const { code, out, err } = await run(["speak", "-m", "a/tts", ...how], { stdin: "Hello\n" });
    expect([code, out, err]).toEqual([0, SOUND, ""]);
    expect(requests()[0]).toMatchObject({
      body: { input: "Hello", voice: "alloy", response_format: "flac", speed: 2, instructions: "Slowly." },
      headers: { "x-queue-timeout": "30" },
    });
  });

  test.each([
    ["speak Hello", "feather models list --search tts"],
    ["speak -m a/tts", "there is no text"],
    ["speak -m a/tts --speed 5 Hello", "between 0.25 and 4"],
    ["speak -m a/tts --sound midi Hello", "mp3|opus"],
  ])("%s is rejected and sends nothing", async (line, message) => {
    const { code, out, err } = await run(line);
    expect([code, out, err]).toEqual([2, "", expect.stringContaining(message)]);
    expect(requests()).toEqual([]);
  });

  test.each(["speak -m a/tts Hello", "speak -m a/tts -o - Hello"])(
    "%s at a terminal is rejected and sends nothing",
    async (line) => {
      const { code, err } = await runInteractive(line);
      expect([code, err]).toEqual([2, expect.stringContaining("sound is not written to a terminal")]);
      expect(requests()).toEqual([]);
    },
  );

  test("a file that cannot be written fails the command", async () => {
    const { code, err } = await run(["speak", "-m", "a/tts", "-o", join(folder, "none", "hello.mp3"), "Hello"]);
    expect([code, err]).toEqual([1, expect.stringContaining("ENOENT")]);
  });
});
