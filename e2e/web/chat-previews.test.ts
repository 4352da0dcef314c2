import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Feather } from "@feather/sdk";
import { type FakeUpstream, startFakeUpstream, type UpstreamScript } from "@feather/testing/fake-upstream";
import { startHttpServer } from "@feather/testing/http-server";
import { chromium, type Frame, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { signInAsAdmin } from "../support/accounts.ts";
import { BROWSER_FLAGS, browserPath } from "../support/browser.ts";
import { startPlatform } from "../support/platform.ts";

const MODEL = "test/drawer";
/** A model that writes down speech, by its name. */
const EARS = "test/whisper";

/** Code that tries to run, to load, and to leave. It shows that it was drawn, and harms nobody where it succeeds. */
const hostileHtml = (probe: string) => `<!doctype html>
<html>
<head>
<link rel="dns-prefetch" href="${probe}/dns"><link rel="preconnect" href="${probe}"><link rel="stylesheet" href="${probe}/link">
<meta http-equiv="refresh" content="0;url=${probe}/refresh"><base href="${probe}/base/">
<style>@import url("${probe}/import"); @font-face { font-family: x; src: url("${probe}/font") }
  body { background: url("${probe}/background"); font-family: x; color: rgb(1, 2, 3) }</style>
</head>
<body onload="top.owned = 1">
<p id="shown">It is drawn.</p>
<script>top.owned = 2; fetch("${probe}/fetch"); localStorage.owned = 1;</script>
<img src="${probe}/image" onerror="top.owned = 3"><img src="x" srcset="${probe}/set"><video src="${probe}/video" poster="${probe}/poster"></video>
<iframe src="${probe}/frame" srcdoc="<script>top.owned = 4</script>"></iframe><object data="${probe}/object"></object>
<form action="${probe}/form" method="post"><button id="send">Send</button></form>
<a id="leave" href="${probe}/leave" target="_top">Leave</a> <a id="elsewhere" href="${probe}/open" target="_blank">Open</a>
<svg><use href="${probe}/use#x"></use><image href="${probe}/svg-image"></image><animate onbegin="top.owned = 5" attributeName="x"></animate></svg>
</body>
</html>`;
const hostileSvg = (
  probe: string,
) => `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="top.owned = 6">
<script href="${probe}/svg-script">top.owned = 7</script><style>@import url("${probe}/svg-import");</style>
<circle cx="20" cy="20" r="20"/><image href="${probe}/svg"/><foreignObject><img src="${probe}/foreign"></foreignObject></svg>`;
const hostileMermaid = (
  probe: string,
) => `%%{init: {"securityLevel": "loose", "htmlLabels": true, "themeCSS": "* { background: url(${probe}/theme) }"}}%%
graph TD
  A["<img src='${probe}/label' onerror='top.owned = 8'>Start"] --> B[End]
  click A href "${probe}/click" "go" _top
  click B call alert()`;

/** What the model answers with, by the language that a question names. */
const code: Record<string, string> = {};
const script: UpstreamScript = {
  reply: ({ messages }) => {
    if (messages === undefined)
      return { rawAnswer: { contentType: "application/json", body: '{"text":"It was said."}' } };
    const last = (messages as { content: unknown }[]).at(-1)?.content;
    const language = typeof last === "string" ? last : "none";
    return { tokens: [`Here it is.\n\n\`\`\`${language}\n${code[language] ?? ""}\n\`\`\`\n\nThat was all.`] };
  },
};

let backend: FakeUpstream;
let baseURL: string;
let token: string;
let feather: Feather;
const ends: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  backend = await startFakeUpstream(script, [MODEL, EARS]);
  const folder = mkdtempSync(join(tmpdir(), "feather-previews-"));
  chmodSync(folder, 0o711); // the database runs as another user
  const platform = await startPlatform(folder, {
    FEATHER_PRELOAD: "off",
    FEATHER_BACKENDS: JSON.stringify([{ name: "test", base_url: backend.baseUrl, models: [MODEL, EARS] }]),
  });
  ends.push(backend.close, async () => {
    platform.process.kill("SIGTERM");
    await platform.ended;
    rmSync(folder, { recursive: true, force: true });
  });
  baseURL = platform.baseUrl;
  ({ token, feather } = await signInAsAdmin(baseURL));
});
afterAll(async () => {
  for (const end of ends) await end();
});

/** Flags of the browser, and what its pages may do. */
type ChatBrowser = { flags?: readonly string[]; permissions?: string[] };

/**
 * Opens the chat in a browser of its own, since what the policy of previews refuses is an error in the console, of which other tests
 * allow none. It ends with the test.
 */
async function openChat(width: number, { flags = [], permissions = [] }: ChatBrowser = {}): Promise<Page> {
  const browser = await chromium.launch({ executablePath: await browserPath(), args: [...BROWSER_FLAGS, ...flags] });
  onTestFinished(() => browser.close());
  const context = await browser.newContext({ baseURL, permissions, viewport: { width, height: 900 } });
  await context.addCookies([{ name: "session", value: token, url: baseURL, httpOnly: true }]);
  const page = await context.newPage();
  await page.goto(`/chat?model=${MODEL}`);
  return page;
}

async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send", disabled: false }).click();
}

/** Asks for code, opens its preview, and returns the frame once something is drawn in it. */
async function preview(page: Page, language: string, drawn: string): Promise<Frame> {
  await ask(page, language);
  const known = page.frames().length;
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await expect.poll(() => page.frames().length).toBe(known + 1);
  const frame = page.frames().at(-1);
  if (frame === undefined) throw new Error("There is no frame.");
  await frame.locator(drawn).first().waitFor({ state: "attached" });
  return frame;
}

/** What a script in the frame would get, if one ran there: each attempt with its error, or what it returned. */
const attempts = (probe: string) => {
  const attempt = async (act: () => unknown) => {
    try {
      return String((await act()) ?? "nothing");
    } catch (error) {
      return (error as Error).name;
    }
  };
  return Promise.all([
    attempt(() => localStorage.length),
    attempt(() => document.cookie),
    attempt(() => indexedDB.open("x").result),
    attempt(() => parent.document.title),
    attempt(() => fetch("/api/auth/me", { credentials: "include" })),
    attempt(() => fetch(`${probe}/script-fetch`, { mode: "no-cors" })),
    attempt(() => open(`${probe}/script-open`)),
    attempt(() => new WebSocket(probe.replace("http", "ws")).readyState),
    attempt(() => {
      if (top) top.location.href = `${probe}/script-top`;
    }),
  ]);
};

test("previews draw hostile pages, drawings and diagrams, and reach no storage, page, API and network", async () => {
  const requested: string[] = [];
  const probe = await startHttpServer(({ url }, response) => {
    requested.push(url ?? "");
    response.writeHead(204).end();
  });
  onTestFinished(probe.close);
  Object.assign(code, { html: hostileHtml(probe.url), svg: hostileSvg(probe.url), mermaid: hostileMermaid(probe.url) });
  const page = await openChat(375);

  const html = await preview(page, "html", "#shown");
  const color = await html.evaluate(() => getComputedStyle(document.body).color);
  expect(color, "the page's own style is used").toBe("rgb(1, 2, 3)");
  expect(await html.evaluate(() => self.origin)).toBe("null");
  for (const id of ["#leave", "#elsewhere"]) await html.locator(id).click();
  expect(await html.locator("form, iframe, script[src^='http://127'], link, meta[http-equiv]").count()).toBe(0);
  expect(await html.evaluate(attempts, probe.url)).toEqual([
    ...["SecurityError", "SecurityError", "SecurityError", "SecurityError"],
    ...["TypeError", "TypeError", "nothing", expect.any(String), "SecurityError"],
  ]);
  await html.evaluate((address) => {
    location.href = `${address}/script-leave`;
  }, probe.url);

  const svg = await preview(page, "svg", "circle");
  expect(await svg.locator("script:not([src]), image[href], img[src]").count()).toBe(0);

  const mermaid = await preview(page, "mermaid", "svg[aria-roledescription]");
  expect(await mermaid.locator("svg").textContent()).toContain("End");
  expect(await mermaid.locator("a[href^='http'], img[src]").count()).toBe(0);

  expect(await page.evaluate(() => (top as unknown as { owned?: number }).owned)).toBeUndefined();
  expect(new URL(page.url()).origin).toBe(new URL(baseURL).origin);
  expect(page.context().pages()).toHaveLength(1);
  expect(requested, "nothing was asked of another server").toEqual([]);
  const { width = 0 } = (await page.getByTitle("Preview").last().boundingBox()) ?? {};
  expect(width, "the frame fits on a phone").toBeLessThanOrEqual(375);
});

test("a chat is printed with its title and all of its text, wrapped, and without what is there to use it", async () => {
  code.ts = `const long = "${"word ".repeat(60)}END_OF_THE_LINE";`;
  const page = await openChat(1440);
  await ask(page, "ts");
  await page.getByText("That was all.").waitFor();
  await page.locator("article .code").waitFor();
  const pdf = await page.pdf({ format: "A4" });
  const file = new File([new Uint8Array(pdf)], "chat.pdf", { type: "application/pdf" });
  const { text, pages } = await feather.documents.read({ file });
  const words = text.replace(/\s+/g, " ");
  for (const part of ["Here it is.", "END_OF_THE_LINE", "That was all."]) expect(words).toContain(part);
  for (const control of ["Send", "Settings", "Temperature", "New chat", "Copy", "Again", "Preview"])
    expect(words).not.toContain(control);
  expect(pages).toBe(1);

  await page.evaluate(() => {
    window.print = () => document.body.setAttribute("data-printed", location.search);
  });
  await page.getByRole("button", { name: "Menu of ts" }).click();
  await page.getByRole("menuitem", { name: "Print or save as PDF" }).click();
  await page.locator("body[data-printed*='c=']").waitFor();
});

/** How the camera held the picture: where a point of the upright picture of the size `w` and `h` is in the file, by orientation. */
const TURNS: Record<number, readonly [number, number, number, number, number, number]> = {
  1: [1, 0, 0, 1, 0, 0],
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, 1, 1, 0, 0, 0],
  6: [0, -1, 1, 0, 0, 1],
  7: [0, -1, -1, 0, 1, 1],
  8: [0, 1, -1, 0, 1, 0],
};
const PLACE = "Taken at home";

/** Returns a JPEG with EXIF data: its orientation, and a text that says where it was taken. */
async function takePicture(page: Page, orientation: number, width: number, height: number): Promise<Buffer> {
  const url = await page.evaluate(
    ([[a, b, c, d, e, f], width, height]) => {
      const canvas = document.createElement("canvas");
      const isLying = a === 0;
      [canvas.width, canvas.height] = isLying ? [height, width] : [width, height];
      const context = canvas.getContext("2d");
      if (context === null) throw new Error("There is no canvas.");
      context.setTransform(a, b, c, d, e * canvas.width, f * canvas.height);
      for (const [color, x, y] of [
        ["red", 0, 0],
        ["lime", 1, 0],
        ["blue", 0, 1],
        ["white", 1, 1],
      ] as const) {
        context.fillStyle = color;
        context.fillRect((x * width) / 2, (y * height) / 2, width / 2, height / 2);
      }
      return canvas.toDataURL("image/jpeg", 1);
    },
    [TURNS[orientation] ?? [1, 0, 0, 1, 0, 0], width, height] as const,
  );
  const jpeg = Buffer.from(url.split(",")[1] ?? "", "base64");
  const tiff = Buffer.alloc(38);
  tiff.write("II*\0", "latin1");
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(2, 8);
  const text = Buffer.from(`${PLACE}\0`, "latin1");
  for (const [at, tag, type, count, value] of [
    [10, 0x010e, 2, text.length, tiff.length],
    [22, 0x0112, 3, 1, orientation],
  ] as const) {
    tiff.writeUInt16LE(tag, at);
    tiff.writeUInt16LE(type, at + 2);
    tiff.writeUInt32LE(count, at + 4);
    tiff.writeUInt32LE(value, at + 8);
  }
  const exif = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff, text]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(exif.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]);
}

/** Returns the size of a picture, and the colors in its four corners, as decoded whatever its orientation says. */
const examine = (page: Page, url: string) =>
  page.evaluate(async (address) => {
    const bytes = Uint8Array.from(atob(address.split(",")[1] ?? ""), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]), { imageOrientation: "none" });
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
    const context = canvas.getContext("2d");
    context?.drawImage(bitmap, 0, 0);
    const colors = [
      [0.1, 0.1],
      [0.9, 0.1],
      [0.1, 0.9],
      [0.9, 0.9],
    ].map(([x = 0, y = 0]) => {
      const pixel = context?.getImageData(x * canvas.width, y * canvas.height, 1, 1).data ?? [];
      return [...pixel]
        .slice(0, 3)
        .map((part) => (part > 127 ? "1" : "0"))
        .join("");
    });
    return { size: [bitmap.width, bitmap.height], colors };
  }, url);

test("pictures of a camera are sent upright, made smaller, and without the place where they were taken", async () => {
  const { items } = await feather.admin.models.list({ search: MODEL });
  const model = items.find(({ id }) => id === MODEL);
  if (model === undefined) throw new Error("The model is not listed.");
  await feather.admin.models.update(model.id, { input_modalities: ["text", "image"] });
  const page = await openChat(375);
  await page.getByLabel("Message").waitFor();
  const pictures: { name: string; mimeType: string; buffer: Buffer }[] = [];
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const [width, height] = orientation === 6 ? [3000, 2000] : [96, 64];
    const buffer = await takePicture(page, orientation, width, height);
    expect(buffer.includes(PLACE)).toBe(true);
    pictures.push({ name: `${orientation}.jpg`, mimeType: "image/jpeg", buffer });
  }
  await page.locator("input[type=file][multiple]").setInputFiles(pictures);
  await page.getByRole("img", { name: "8.jpg" }).waitFor();
  const sent = page.waitForRequest((request) => request.url().endsWith("/v1/chat/completions"));
  await ask(page, "What is it?");
  const parts = (await sent).postDataJSON().messages.at(-1).content as { image_url?: { url: string } }[];
  const urls = parts.flatMap(({ image_url }) => image_url?.url ?? []);
  const seen = [];
  for (const url of urls) seen.push(await examine(page, url));
  const upright = { size: [96, 64], colors: ["100", "010", "001", "111"] };
  expect(seen).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 8].map((one) => (one === 6 ? { ...upright, size: [2048, 1365] } : upright)),
  );
  for (const url of urls) {
    const bytes = Buffer.from(url.split(",")[1] ?? "", "base64");
    expect([bytes.includes("Exif"), bytes.includes(PLACE)]).toEqual([false, false]);
  }
});

test("what is said into a microphone is written into the message, and refused where the browser refuses", async () => {
  const flags = ["--use-fake-device-for-media-stream"];
  const page = await openChat(375, { flags, permissions: ["microphone"] });
  await page.getByRole("button", { name: "Dictate" }).click();
  await page.getByRole("button", { name: "Stop listening" }).click();
  await expect.poll(() => page.getByLabel("Message").inputValue()).toBe("It was said.");
  const call = backend.recordedRequests.find(({ path }) => path.endsWith("/audio/transcriptions"));
  expect(call?.body).toMatchObject({ model: EARS, file: expect.any(File) });
  expect((call?.body.file as File | undefined)?.name).toMatch(/^dictation\.(webm|mp4|ogg)$/);

  const refused = await openChat(375, { flags });
  await refused.getByRole("button", { name: "Dictate" }).click();
  await refused.getByText("The browser does not let this page use the microphone.").waitFor();
});
