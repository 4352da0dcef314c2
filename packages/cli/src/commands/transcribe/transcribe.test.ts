import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatEvent } from "@feather/testing/chat-events";
import { afterAll, describe, expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "feather-transcribe-"));
afterAll(() => rmSync(folder, { recursive: true }));
const FILE = join(folder, "meeting.mp3");
writeFileSync(FILE, "ID3 sound");
const EMPTY = join(folder, "empty.mp3");
writeFileSync(EMPTY, "");

const SUBTITLES = "1\n00:00:00,000 --> 00:00:01,800\nHello.\n\n";
/** The events with which the server answers a call with a stream. */
let events: readonly object[] = [];
const { run, runInteractive, requests } = setupCli({
  "POST /v1/audio/transcriptions": ({ body }) =>
    String(body).includes('name="stream"')
      ? { headers: { "content-type": "text/event-stream" }, body: events.map(formatEvent).join("") }
      : String(body).includes("\r\nsrt\r\n")
        ? { headers: { "content-type": "text/plain; charset=utf-8" }, body: SUBTITLES }
        : { body: { text: " Hello.\n", usage: { type: "duration", seconds: 2 } } },
  "POST /v1/audio/translations": () => ({ body: { text: "Good day." } }),
});

/** The fields of the form that was sent, with the names of files. */
async function sentForm(): Promise<Record<string, string>> {
  const [request] = requests();
  const headers = { "content-type": request?.headers["content-type"] ?? "" };
  const form = await new Response(String(request?.body), { headers }).formData();
  return Object.fromEntries([...form].map(([name, value]) => [name, typeof value === "string" ? value : value.name]));
}

function transcribeInteractively(answer: readonly object[]) {
  events = answer;
  return runInteractive(["transcribe", "-m", "a/hears", FILE]);
}

describe("feather transcribe", () => {
  test("feather transcribe prints the text of a file", async () => {
    const how = ["--language", "en", "--prompt", "Names: Ada", "--queue", "30"];
    const { code, out, err } = await run(["transcribe", "-m", "a/hears", ...how, FILE]);
    expect([code, out, err]).toEqual([0, "Hello.\n", ""]);
    expect(await sentForm()).toEqual({ file: "meeting.mp3", model: "a/hears", language: "en", prompt: "Names: Ada" });
    expect(requests()[0]?.headers["x-queue-timeout"]).toBe("30");
  });

  test("feather transcribe prints the text at a terminal while it is written down", async () => {
    const answer = [
      { type: "transcript.text.delta", delta: " Hel" },
      { type: "transcript.text.delta", delta: "lo." },
      { type: "transcript.text.done", text: " Hello." },
    ];
    const { code, out } = await transcribeInteractively(answer);
    expect([code, out]).toEqual([0, "Hello.\n"]);
  });

  test("feather transcribe fails when the text breaks off, and has printed what came before", async () => {
    const { code, out } = await transcribeInteractively([{ type: "transcript.text.delta", delta: "Hel" }]);
    expect([code, out]).toEqual([10, "Hel\n"]);
  });

  test.each([
    ["ID3 sound", "mp3"],
    ["RIFF1234WAVE", "wav"],
    ["OggS", "ogg"],
    ["fLaC", "flac"],
    ["1234ftypM4A", "m4a"],
    ["sound", "bin"],
  ])("feather transcribe reads stdin, and names the file by its beginning %s", async (stdin, format) => {
    expect((await run("transcribe -m a/hears -", { stdin })).out).toBe("Hello.\n");
    expect(await sentForm()).toMatchObject({ file: `stdin.${format}` });
  });

  test("feather transcribe prints subtitles as they are", async () => {
    const { out } = await run(["transcribe", "-m", "a/hears", "--subtitles", "srt", FILE]);
    expect(out).toBe(`${SUBTITLES.trimEnd()}\n`);
  });

  test("feather transcribe prints the whole response with --json, with times if they are asked for", async () => {
    const { out } = await run(["transcribe", "-m", "a/hears", "--json", "--timestamps", FILE]);
    expect(JSON.parse(out)).toEqual({ text: " Hello.\n", usage: { type: "duration", seconds: 2 } });
    expect(await sentForm()).toMatchObject({ response_format: "verbose_json" });
  });

  test("feather transcribe translates with --english", async () => {
    expect((await run(["transcribe", "-m", "a/hears", "--english", FILE])).out).toBe("Good day.\n");
  });

  test.each([
    [["transcribe", FILE], "feather models list --search whisper"],
    [["transcribe", "-m", "a/hears"], "file"],
    [["transcribe", "-m", "a/hears", "--subtitles", "xml", FILE], "srt|vtt"],
    [["transcribe", "-m", "a/hears", "--subtitles", "srt", "--json", FILE], "subtitles are no JSON"],
    [["transcribe", "-m", "a/hears", "--english", "--language", "de", FILE], "--language cannot be used"],
    [["transcribe", "-m", "a/hears", EMPTY], "the file is empty"],
  ])("%s is rejected and sends nothing", async (line, message) => {
    const { code, out, err } = await run(line);
    expect([code, out, err]).toEqual([2, "", expect.stringContaining(message)]);
    expect(requests()).toEqual([]);
  });

  test("a file that cannot be read fails the command", async () => {
    const { code, err } = await run(["transcribe", "-m", "a/hears", join(folder, "none.mp3")]);
    expect([code, err]).toEqual([1, expect.stringContaining("ENOENT")]);
  });
});
