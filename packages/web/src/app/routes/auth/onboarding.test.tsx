import type { ChatCompletion } from "@feather/sdk";
import { http, refuse } from "@feather/sdk/msw";
import { buildApiKey, buildModel, buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { premiumSubscription, viewer } from "#/testing/billing.ts";
import { maria, neverSettles, renderPage } from "#/testing/page.tsx";
import OnboardingPage from "./onboarding.tsx";

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ROUTES: StubHandlers = [
  http.auth.me(maria),
  http.models.list(buildPage([buildModel({ id: "Qwen/Qwen3-8B" })])),
  http.apiKeys.list(buildPage([])),
  http.subscription.get(premiumSubscription),
  http.apiKeys.create({ ...buildApiKey({ name: "first program" }), secret: "rc_mine" }),
];
const show = (address = "/onboarding", routes: StubHandlers = []) =>
  renderPage(<OnboardingPage />, "/onboarding", address, [...routes, ...ROUTES]);
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const heading = async (name: string) => expect(await screen.findByRole("heading", { name })).toBeTruthy();

test("the first steps lead from the purpose to the first chat, with the user's own key in the call", async () => {
  const { requests, router } = show();
  await heading("What are you here for?");
  await press("Go on");
  await heading("Your first key");
  await userEvent.dblClick(await screen.findByRole("button", { name: "Make the key" }));
  expect(await screen.findByText("rc_mine")).toBeTruthy();
  expect(requests.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
    { name: "first program" },
  ]);
  await press("I have copied it, go on");
  await heading("Your first call");
  expect(screen.getByText(/FEATHER_API_KEY=rc_mine/)).toBeTruthy();
  expect(screen.getAllByText(/Qwen3-8B/).length).toBeGreaterThan(0);
  await press("Go on");
  await heading("Your first chat");
  expect(screen.getByRole("link", { name: "Open the chat" }).getAttribute("href")).toBe("/chat?model=Qwen%2FQwen3-8B");
  expect(router.state.location.search).toBe("?step=chat&use=program");
  expect(JSON.stringify(localStorage)).not.toContain("rc_mine");
});

test("the first steps continue where the user left off", async () => {
  localStorage.setItem("onboarding:usr_1", JSON.stringify({ use: "assistant", step: "call", done: false }));
  show();
  await heading("Set the assistant up");
  expect(screen.getByText("OpenAI compatible")).toBeTruthy();
  expect(screen.getByText(/Put your key where it says so/)).toBeTruthy();
});

test("the first steps can be skipped, and show later that they were", async () => {
  show();
  await userEvent.click(await screen.findByRole("link", { name: "Skip this" }));
  expect(await screen.findByText("at /models")).toBeTruthy();
  show();
  expect(await screen.findByText(/You have been here before/)).toBeTruthy();
});

test("the first steps go straight to the chat if that is the purpose", async () => {
  show();
  await userEvent.click(await screen.findByRole("radio", { name: /Chat in the browser/ }));
  await press("Go on");
  await heading("Your first chat");
  expect(screen.getAllByRole("listitem")).toHaveLength(2);
});

describe("the key step", () => {
  const AT = "/onboarding?use=program&step=key";

  test("the key step shows why a key was refused, and keeps the name", async () => {
    show(AT, [http.apiKeys.create(refuse(409, "api_keys.limit_reached", "Your plan allows 2 keys."))]);
    const field = await screen.findByLabelText("Name");
    await userEvent.clear(field);
    await userEvent.type(field, "laptop");
    await press("Make the key");
    expect((await screen.findByRole("alert")).textContent).toContain("Your plan allows 2 keys.");
    expect(screen.getByLabelText("Name")).toHaveProperty("value", "laptop");
  });

  test("the key step creates the same key again after a lost connection", async () => {
    let shouldFail = true;
    const { requests } = show(AT, [
      http.apiKeys.create(() => {
        if (shouldFail) throw new TypeError("fetch failed");
        return { ...buildApiKey(), secret: "rc_mine" };
      }),
    ]);
    await press("Make the key");
    expect((await screen.findByRole("alert")).textContent).toContain("Nothing you entered is lost");
    shouldFail = false;
    await press("Make the key");
    expect(await screen.findByText("rc_mine")).toBeTruthy();
    const posts = requests.filter(({ method }) => method === "POST");
    expect(new Set(posts.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  test("the key step offers an existing key", async () => {
    show(AT, [http.apiKeys.list(buildPage([buildApiKey()]))]);
    await heading("Another key, or one you have");
    await press("Use one that I have");
    await heading("Your first call");
    expect(screen.getByText(/rc_your_key/)).toBeTruthy();
  });

  test("the key step does not let a viewer create a key", async () => {
    show(AT, [http.auth.me(viewer)]);
    expect((await screen.findByRole("note")).textContent).toContain("You are a viewer of Winter & Sons.");
    expect(screen.queryByLabelText("Name")).toBeNull();
    await press("Go on without");
    await heading("Your first call");
  });

  test("the key step shows that keys are loading, and retries after a failure", async () => {
    show(AT, [http.apiKeys.list(neverSettles)]);
    await heading("Your first key");
    expect(screen.queryByLabelText("Name")).toBeNull();
    show(AT, [http.apiKeys.list(refuse(500, "internal_error", "x"))]);
    expect((await screen.findByRole("alert")).textContent).toContain("Your keys cannot be read just now.");
  });
});

describe("the call step", () => {
  const AT = "/onboarding?use=program&step=call";
  const answer = (content: string): ChatCompletion => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_763_560_862,
    model: "Qwen/Qwen3-8B",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 3, completion_tokens: 7, total_tokens: 10 },
  });

  test("the call step shows the answer as text, once", async () => {
    const { requests } = show(AT, [http.chat.completions.create(() => answer("<img src=x onerror=alert(1)> Hello"))]);
    await userEvent.dblClick(await screen.findByRole("button", { name: "Try it from here" }));
    expect(await screen.findByText("<img src=x onerror=alert(1)> Hello")).toBeTruthy();
    expect(document.querySelector("img")).toBeNull();
    expect(screen.getByText(/7 tokens in/)).toBeTruthy();
    await waitFor(() =>
      expect(requests.find(({ method }) => method === "POST")?.body).toMatchObject({
        model: "Qwen/Qwen3-8B",
        messages: [{ role: "user", content: "Hello" }], // the message of the code example on the page
      }),
    );
  });

  test("the call step shows why the call failed, and retries", async () => {
    show(AT, [http.chat.completions.create(refuse(402, "insufficient_credits", "There are no credits left."))]);
    await press("Try it from here");
    expect((await screen.findByRole("alert")).textContent).toContain("There are no credits left.");
    expect(screen.getByRole("button", { name: "Try it from here" })).toHaveProperty("disabled", false);
  });
});
