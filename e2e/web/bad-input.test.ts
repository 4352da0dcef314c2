import type { Browser, BrowserContext, Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createAccount, PASSWORD } from "../support/accounts.ts";
import { launchBrowser } from "../support/browser.ts";
import { platformUrl } from "../support/platform-url.ts";

const baseUrl = platformUrl();
const CANARY = "https://canary.example";
const MODEL = "/models/feather/demo";
/** The line below an answer that has ended. */
const TOKENS = /^\d+ tokens$/;
let browser: Browser;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
});

type Visit = { context: BrowserContext; page: Page; errors: string[]; requests: string[]; email: string };

/**
 * Opens a separate browser session. Errors of scripts, violations of the page's policy, and requests to other hosts are
 * recorded.
 */
async function visit({ signedIn = false, width = 1280 } = {}): Promise<Visit> {
  const context = await browser.newContext({ baseURL: baseUrl, viewport: { width, height: 900 } });
  contexts.push(context);
  const { email } = signedIn ? await createAccount(baseUrl) : { email: "" };
  if (signedIn) await context.request.post("/api/auth/login", { data: { email, password: PASSWORD } });
  const page = await context.newPage();
  const [errors, requests]: [string[], string[]] = [[], []];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("dialog", (dialog) => errors.push(`it ran: ${dialog.message()}`));
  page.on("console", (message) => {
    if (message.type() === "error" && message.text().includes("Content Security Policy")) errors.push(message.text());
  });
  context.on("request", (request) => {
    if (!request.url().startsWith(baseUrl) && /^https?:/.test(request.url())) requests.push(request.url());
  });
  return { context, page, errors, requests, email };
}

/** Changes the server's answers to GET requests of these paths. */
async function changed(page: Page, path: RegExp, change: (body: Record<string, unknown>) => object): Promise<void> {
  await page.route(path, async (route: Route) => {
    if (route.request().method() !== "GET") return route.continue();
    const response = await route.fetch();
    return route.fulfill({ response, json: change((await response.json()) as Record<string, unknown>) });
  });
}

/** A model that answers with these words. */
const speak = (page: Page, delta: { content?: string; reasoning_content?: string }) =>
  page.route(/\/v1\/chat\/completions/, (route) => {
    const chunk = (part: object, finish: string | null) =>
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta: part, finish_reason: finish }] })}\n\n`;
    return route.fulfill({
      contentType: "text/event-stream",
      body: `${chunk(delta, null)}${chunk({}, "stop")}data: [DONE]\n\n`,
    });
  });

async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await page.keyboard.press("Enter");
}

const HOSTILE = [
  "<script>document.title='owned'</script>",
  "<img src=x onerror=document.title='owned'>",
  `<img src=${CANARY}/a.png>`,
  `<svg onload=document.title='owned'><image href=${CANARY}/b.png /></svg>`,
  `<iframe src=${CANARY}/c></iframe>`,
  `<link rel=stylesheet href=${CANARY}/d.css>`,
  `<style>@import url(${CANARY}/e.css); * { background: url(${CANARY}/f.png) }</style>`,
  `<div style="background:url(${CANARY}/g.png)">x</div>`,
  `<video poster=${CANARY}/h.png src=${CANARY}/i.mp4 autoplay></video>`,
  `<meta http-equiv=refresh content="0;url=${CANARY}/j">`,
  `<a href="javascript:document.title='owned'">script link</a>`,
  "[script link](javascript:document.title='owned')",
  `![picture](${CANARY}/k.png)`,
  `[![x](${CANARY}/l.png)](${CANARY})`,
  `\`\`\`mermaid\ngraph TD; A[<img src=${CANARY}/m.png>]-->B\n\`\`\``,
  `\`\`\`svg\n<svg><image href=${CANARY}/n.png /></svg>\n\`\`\``,
  `$$\\includegraphics{${CANARY}/o.png} \\htmlStyle{background:url(${CANARY}/p.png)}{x}$$`,
  "The last words.",
].join("\n\n");

describe("hostile content of other users is neither executed nor fetches anything", () => {
  type Sink = [string, boolean, (page: Page) => Promise<void>];
  const sinks: Sink[] = [
    [
      "a readme",
      false,
      async (page) => {
        await changed(page, /\/api\/feather\/models\/feather%2Fdemo/, (body) => ({ ...body, readme: HOSTILE }));
        await page.goto(`${MODEL}/readme`);
      },
    ],
    [
      "what is said of a model",
      false,
      async (page) => {
        await changed(page, /\/api\/feather\/models\/feather%2Fdemo/, (body) => ({ ...body, description: HOSTILE }));
        await page.goto(MODEL);
      },
    ],
    [
      "a review",
      false,
      async (page) => {
        const review = { id: "rev_1", rating: 1, review: HOSTILE, tags: [], mine: false, verified_caller: false };
        const user = { id: "usr_1", name: HOSTILE, username: "x" };
        const at = "2026-11-20T08:00:00Z";
        await changed(page, /\/api\/.*\/reviews/, (body) => ({
          ...body,
          items: [{ ...review, user, created_at: at, updated_at: at }],
        }));
        await page.goto(`${MODEL}/reviews`);
      },
    ],
    [
      "an incident",
      false,
      async (page) => {
        const at = "2026-11-20T08:00:00Z";
        const incident = { id: "inc_1", title: HOSTILE, state: "investigating", impact: "minor", model_classes: [] };
        const updates = [{ id: "upd_1", state: "investigating", message: HOSTILE, body: HOSTILE, created_at: at }];
        await changed(page, /\/api\/feather\/status\/incidents|\/api\/status\/incidents/, () => ({
          items: [
            {
              ...incident,
              message: HOSTILE,
              body: HOSTILE,
              updates,
              started_at: at,
              created_at: at,
              updated_at: at,
              resolved_at: null,
            },
          ],
        }));
        await page.goto("/status");
      },
    ],
    [
      "an answer",
      true,
      async (page) => {
        await speak(page, { content: HOSTILE });
        await page.goto("/chat?model=feather/demo");
        await ask(page, "Hello");
      },
    ],
    [
      "what a model thought",
      true,
      async (page) => {
        await speak(page, { reasoning_content: HOSTILE, content: "Hm." });
        await page.goto("/chat?model=feather/demo");
        await ask(page, "Hello");
        await page.getByText(/^Thought for/).click();
      },
    ],
    [
      "a question",
      true,
      async (page) => {
        await speak(page, { content: "Hm." });
        await page.goto("/chat?model=feather/demo");
        await ask(page, HOSTILE);
      },
    ],
    [
      "the error in the address",
      false,
      async (page) => {
        await page.goto(`/models?error=${encodeURIComponent(HOSTILE)}`);
      },
    ],
  ];

  test.each(sinks)("is harmless: %s", async (_name, signedIn, show) => {
    const { page, errors, requests } = await visit({ signedIn });
    await show(page);
    await page.getByText("The last words.").first().waitFor();
    await page.waitForLoadState("networkidle");
    expect(requests).toEqual([]);
    expect(errors).toEqual([]);
    expect(await page.title()).not.toContain("owned");
    for (const link of await page.getByText("script link", { exact: true }).all())
      expect((await link.getAttribute("href")) ?? "").not.toContain("javascript");
  });
});

test.each([
  "//evil.example",
  "/\\evil.example",
  "/.//evil.example",
  "/a/..//evil.example",
  "javascript:document.title='owned'",
  "data:text/html,x",
])("a signed-in user with returnTo %s stays on the site", async (returnTo) => {
  const { page, requests, errors } = await visit({ signedIn: true });
  await page.goto(`/login?returnTo=${encodeURIComponent(returnTo)}`);
  await expect.poll(() => page.url()).toBe(`${baseUrl}/`);
  expect([...requests, ...errors]).toEqual([]);
});

describe("the browser's storage", () => {
  const KEYS = [
    "theme",
    "feather-cookie-preferences",
    "referralCode",
    "single-key-shortcuts",
    "reloads",
    "chat-draft new",
    "sign-in-return-to",
  ];
  const GARBAGE = ["{", "null", "[]", '{"accepted":{"a":1},"timestamp":"x"}', "\u0000\uD800", "9".repeat(100_000)];

  test.each(GARBAGE.map((value) => [value.slice(0, 40), value]))(
    "may contain %j under every key",
    async (_shown, value) => {
      const { page, context, errors } = await visit();
      await context.addInitScript(
        ([keys, text]) => {
          for (const area of [localStorage, sessionStorage])
            for (const key of [...Object.keys(area), ...(keys as string[])]) area.setItem(key, text as string);
        },
        [KEYS, value] as const,
      );
      for (const path of ["/", "/chat"]) {
        await page.goto(path);
        await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
      }
      await page.getByRole("button", { name: "Accept All" }).click();
      await page.reload();
      expect(errors).toEqual([]);
    },
  );

  test("may be denied", async () => {
    const { page, context, errors } = await visit({ signedIn: true });
    await context.addInitScript(() => {
      const deny = {
        get: () => {
          throw new DOMException("denied", "SecurityError");
        },
      };
      for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"])
        Object.defineProperty(globalThis, name, deny);
    });
    await page.goto("/models");
    await page.getByRole("button", { name: "Accept All" }).click();
    await page.goto("/chat?model=feather/demo");
    await page.getByText("History is not kept: this browser does not allow it.").waitFor();
    await ask(page, "Hello");
    await page.getByText(TOKENS).waitFor();
    expect(errors).toEqual([]);
  });

  test("may be full", async () => {
    const { page, context, errors } = await visit({ signedIn: true });
    await context.addInitScript(() => {
      const full = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
      Storage.prototype.setItem = full;
      IDBObjectStore.prototype.put = full;
    });
    await page.goto("/chat?model=feather/demo");
    await ask(page, "Hello");
    await page.getByText(TOKENS).waitFor();
    await page.getByText("History is not kept any more: the browser's storage is full.").waitFor();
    expect(errors).toEqual([]);
  });

  test("may contain a corrupt chat history", async () => {
    const { page, errors } = await visit({ signedIn: true });
    await page.goto("/chat?model=feather/demo");
    await ask(page, "Precious words");
    await page.getByText(TOKENS).waitFor();
    await page.evaluate(async () => {
      const [{ name = "" } = {}] = (await indexedDB.databases()).filter((one) => one.name?.startsWith("feather-chat"));
      const db = await new Promise<IDBDatabase>((resolve) => {
        const open = indexedDB.open(name);
        open.onsuccess = () => resolve(open.result);
      });
      const work = db.transaction(["conversations", "entries"], "readwrite");
      work.objectStore("conversations").put({ id: "junk", updatedAt: "yesterday", settings: 5, models: {} });
      work.objectStore("conversations").put({ id: 5 });
      work.objectStore("entries").put({ id: "q", conversation: "junk", kind: "question", text: { a: 1 } });
      work.objectStore("entries").put({ id: "a", conversation: "junk", kind: "answer", question: "q", toolCalls: 7 });
      await new Promise((resolve) => work.addEventListener("complete", resolve));
      db.close();
    });
    await page.goto("/chat?c=junk");
    await page.getByRole("link", { name: "Precious words" }).click();
    await page.getByLabel("Conversation").getByText("Precious words").waitFor();
    expect(errors).toEqual([]);
  });

  test("may refuse cookies, which the login reports", async () => {
    const { page, context } = await visit();
    await context.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, "cookieEnabled", { get: () => false }),
    );
    await page.goto("/login");
    await page.getByText("This browser keeps no cookies").waitFor();
  });
});

describe("while a form is being filled in", () => {
  async function newKey(page: Page, name: string): Promise<void> {
    await page.goto("/account/api-keys");
    await page.getByRole("button", { name: "New key" }).first().click();
    await page.getByLabel("Name").fill(name);
  }
  const make = (page: Page) => page.getByRole("button", { name: "Make the key" });

  test("a lost connection keeps the input, and submitting works when it is back", async () => {
    const { page, context, errors } = await visit({ signedIn: true });
    await newKey(page, "laptop");
    await context.setOffline(true);
    await make(page).click();
    await page.getByText(/^The server cannot be reached\./).waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("laptop");
    await context.setOffline(false);
    await make(page).click();
    await page
      .getByText(/^rc_\w+$/)
      .first()
      .waitFor();
    expect(errors).toEqual([]);
  });

  test("a message that could not be sent to a model can be sent again", async () => {
    const { page, context } = await visit({ signedIn: true });
    await page.goto("/chat?model=feather/demo");
    await page.getByRole("button", { name: "Send" }).waitFor();
    await page.locator(".served").waitFor({ state: "detached" });
    await page.getByLabel("Message").fill("Hello");
    await expect.poll(() => page.getByRole("button", { name: "Send" }).isEnabled()).toBe(true);
    // What the page fetches last.
    await page.getByLabel("Search chats").waitFor();
    await context.setOffline(true);
    await page.keyboard.press("Enter");
    await page.getByText("The server cannot be reached.").waitFor();
    await context.setOffline(false);
    // The browser takes a moment to be back.
    const again = page.getByRole("button", { name: "Try again" });
    const answered = async () => {
      if (await again.isVisible()) await again.click();
      return page.getByText(TOKENS).count();
    };
    await expect.poll(answered, { interval: 500 }).toBe(1);
    expect(await page.locator("article").count()).toBe(1);
  });

  test("an expired session is renewed by logging in over the page", async () => {
    const { page, context, errors, email } = await visit({ signedIn: true });
    await newKey(page, "laptop");
    await context.clearCookies();
    await make(page).click();
    const dialog = page.getByRole("alertdialog", { name: "Your session has ended" });
    expect(await dialog.getByLabel("E-mail").inputValue()).toBe(email);
    await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await dialog.getByRole("button", { name: "Log in", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    expect(page.url()).toBe(`${baseUrl}/account/api-keys`);
    expect(await page.getByLabel("Name").inputValue()).toBe("laptop");
    await make(page).click();
    await page
      .getByText(/^rc_\w+$/)
      .first()
      .waitFor();
    expect(errors).toEqual([]);
  });

  test("a review survives logging in again", async () => {
    const { page, context, email } = await visit({ signedIn: true });
    await page.goto(`${MODEL}/reviews`);
    await page.getByRole("textbox").last().fill("It knows how to introduce itself.");
    await context.clearCookies();
    await page.reload();
    await page.locator("main").getByRole("link", { name: "Log in" }).first().click();
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Log in", exact: true }).click();
    await page.waitForURL(`**${MODEL}/reviews`);
    await expect.poll(() => page.getByRole("textbox").last().inputValue()).toBe("It knows how to introduce itself.");
  });

  test("a double click submits once", async () => {
    const { page } = await visit({ signedIn: true });
    const writes: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && /api-keys|chat\/completions/.test(request.url())) writes.push(request.url());
    });
    await newKey(page, "laptop");
    await make(page).dblclick();
    await page
      .getByText(/^rc_\w+$/)
      .first()
      .waitFor();
    expect(writes).toHaveLength(1);
    await page.goto("/chat?model=feather/demo");
    await page.getByLabel("Message").fill("Hello");
    await page.getByRole("button", { name: "Send" }).dblclick();
    await page.getByText(TOKENS).waitFor();
    expect(writes).toHaveLength(2);
    expect(await page.locator("article").count()).toBe(1);
  });

  test("the Back button after signing in leads to the previous page, not to the form", async () => {
    const { page, email, context } = await visit({ signedIn: true });
    await context.clearCookies();
    await page.goto("/models");
    await page.goto("/account/profile");
    await page.waitForURL("**/login?**");
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Log in", exact: true }).click();
    await page.waitForURL("**/account/profile");
    await page.goBack();
    await expect.poll(() => page.url()).toBe(`${baseUrl}/models`);
    await page.goForward();
    await expect.poll(() => page.url()).toBe(`${baseUrl}/account/profile`);
  });
});

test("two tabs sign in and out together", async () => {
  const { page: first, context, email } = await visit({ signedIn: true });
  const second = await context.newPage();
  await first.goto("/account/profile");
  await second.goto("/account/api-keys");
  await second.getByRole("button", { name: "New key" }).first().waitFor();
  await first.getByRole("button", { name: /^Account menu of/ }).click();
  await first.getByRole("menuitem", { name: "Log out" }).click();
  await second.waitForURL("**/login?returnTo=%2Faccount%2Fapi-keys");
  expect(await second.getByText("Your session has ended").count()).toBe(0);
  await first.goto("/login");
  await first.getByLabel("E-mail").fill(email);
  await first.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await first.getByRole("button", { name: "Log in", exact: true }).click();
  await second.waitForURL("**/account/api-keys");
});

test.each([-1, 1])("a local clock that is off by %i day causes no errors", async (days) => {
  const { page, errors } = await visit({ signedIn: true });
  await page.clock.setSystemTime(Date.now() + days * 86_400_000);
  for (const path of ["/account/profile", "/account/usage", "/account/api-keys", "/status", MODEL]) {
    await page.goto(path, { waitUntil: "networkidle" });
    expect(new URL(page.url()).pathname).toBe(path);
    expect(await page.locator("body").innerText()).not.toMatch(/NaN|Invalid|undefined|-\d+ (s|min|h|days?)\b/);
  }
  await page.goto("/chat?model=feather/demo");
  await ask(page, "Hello");
  await page.getByText(TOKENS).waitFor();
  expect(errors).toEqual([]);
});
