import type { ErrorCode } from "@feather/sdk";
import { http, refuse } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import "fake-indexeddb/auto";
import { buildUser } from "@feather/testing/builders";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { IDBFactory } from "fake-indexeddb";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { buildReceipt, catalogueModel, chatHandlers, completeChatResponse, createChatStream } from "#/testing/chat.ts";
import { bodyOf, maria, type RecordedRequest, renderPage, respondWith } from "#/testing/page.tsx";
import { Shortcuts } from "../../shortcuts.tsx";
import ChatPage from "./chat.tsx";

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  sessionStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const qwen = catalogueModel("Qwen/Qwen3-32B");
const llama = catalogueModel("meta/Llama-3");

const show = (routes: StubHandlers = [], address = "/chat?model=Qwen%2FQwen3-32B", beside: ReactNode = null) =>
  renderPage(withChat(beside), "/chat", address, [
    ...routes,
    http.chat.completions.create(() => completeChatResponse("Because of **air**.")),
    ...chatHandlers([qwen, llama]),
    http.auth.me(maria),
  ]);
const withChat = (beside: ReactNode) => (
  <>
    {beside}
    <ChatPage />
  </>
);
const calls = (requests: RecordedRequest[]) =>
  requests.filter(({ path }) => path === "/v1/chat/completions").map(({ body }) => body as unknown as Sent);
type Sent = { model: string; messages: { role: string; content: unknown }[]; [parameter: string]: unknown };

async function ask(text: string): Promise<void> {
  const field = await screen.findByLabelText("Message");
  await waitFor(() => expect(screen.getByRole("button", { name: "Attach files" })).toHaveProperty("disabled", false));
  await userEvent.type(field, `${text}{Enter}`);
}

/** Returns queries for the conversation, without the titles outside of it. */
const conversation = () => within(screen.getByRole("region", { name: "Conversation" }));

const conversationStatus = () => document.querySelector(".chat [role=status]")?.textContent;

describe("an answer in the chat", () => {
  test("an answer in the chat streams, is rendered, and shows tokens and units", async () => {
    const chatStream = createChatStream();
    const { requests } = show([http.chat.completions.create(chatStream.response)]);
    await ask("Why?");
    chatStream.sendText("Because of ");
    expect(await screen.findByText(/Because of/)).toBeTruthy();
    expect(conversationStatus()).toBe("Qwen3-32B is answering");
    chatStream.sendText("**air**.");
    chatStream.end();
    expect((await screen.findByText("air")).closest("strong, [data-streamdown=strong]")).toBeTruthy();
    expect(await screen.findByText("5 tokens")).toBeTruthy();
    expect(await screen.findByText("2 units")).toBeTruthy();
    expect(conversationStatus()).toBe("The answer is complete");
    expect(calls(requests)[0]).toMatchObject({
      model: "Qwen/Qwen3-32B",
      messages: [{ role: "user", content: "Why?" }],
      stream: true,
    });
  });

  test("an answer in the chat shows its cost on a metered plan", async () => {
    const receipt = buildReceipt({ cost_status: "final", cost_nano_usd: "12500" });
    show([http.usage.requests.get(receipt, { params: { id: "req_1" } })]);
    await ask("Why?");
    expect(await screen.findByText("$0.0000125")).toBeTruthy();
  });

  test("an answer in the chat is stopped with Escape, stays, and can be continued", async () => {
    const chatStream = createChatStream();
    let callCount = 0;
    const { requests } = show([
      http.chat.completions.create(() =>
        callCount++ === 0 ? chatStream.response : completeChatResponse(" and of down."),
      ),
    ]);
    await ask("Why?");
    chatStream.sendText("Because of air");
    await screen.findByText("Because of air");
    await userEvent.keyboard("{Escape}");
    expect(await screen.findByText("stopped")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Go on" }));
    expect(await screen.findByText("Because of air and of down.")).toBeTruthy();
    expect(calls(requests)[1]?.messages.slice(1, 2)).toEqual([{ role: "assistant", content: "Because of air" }]);
  });

  test("an answer in the chat collapses the reasoning of the model", async () => {
    const chatStream = createChatStream();
    show([http.chat.completions.create(chatStream.response)]);
    await ask("Why?");
    chatStream.send({ reasoning_content: "Feathers hold air." });
    expect(await screen.findByText("Thinking …")).toBeTruthy();
    chatStream.sendText("Air.");
    chatStream.end();
    const summary = await screen.findByText(/^Thought for/);
    expect(summary.closest("details")?.open).toBe(false);
  });

  test("an answer in the chat shows tool calls and accepts their results", async () => {
    const chatStream = createChatStream();
    let callCount = 0;
    const { requests } = show([
      http.chat.completions.create(() => (callCount++ === 0 ? chatStream.response : completeChatResponse("It rains."))),
    ]);
    await ask("Weather?");
    const start = { index: 0, id: "call_9", type: "function", function: { name: "weather", arguments: '{"city":' } };
    chatStream.send({ tool_calls: [start] });
    chatStream.send({ tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] });
    chatStream.end("tool_calls");
    await userEvent.type(await screen.findByLabelText("Result of weather"), "rain");
    await userEvent.click(screen.getByRole("button", { name: "Send the result" }));
    expect(await screen.findByText("It rains.")).toBeTruthy();
    expect(calls(requests)[1]?.messages.slice(1)).toMatchObject([
      {
        role: "assistant",
        tool_calls: [{ id: "call_9", function: { name: "weather", arguments: '{"city":"Oslo"}' } }],
      },
      { role: "tool", tool_call_id: "call_9", content: "rain" },
    ]);
  });
});

describe("branches of a conversation", () => {
  test("branches of a conversation keep the earlier versions when a question is repeated or edited", async () => {
    let callCount = 0;
    const { requests } = show([http.chat.completions.create(() => completeChatResponse(`Answer ${++callCount}`))]);
    await ask("First");
    await screen.findByText("Answer 1");
    await userEvent.click(await screen.findByRole("button", { name: "Again" }));
    await screen.findByText("Answer 2");
    expect(screen.queryByText("Answer 1")).toBeNull();
    await userEvent.click(await screen.findByRole("button", { name: "Previous answer" }));
    expect(await screen.findByText("Answer 1")).toBeTruthy();

    await userEvent.click(screen.getByLabelText("Message"));
    await userEvent.keyboard("{ArrowUp}");
    const editor = await screen.findByLabelText("Edit the message");
    await userEvent.clear(editor);
    await userEvent.type(editor, "Second{Enter}");
    await screen.findByText("Answer 3");
    expect(document.activeElement).toBe(screen.getByLabelText("Message"));
    expect(calls(requests).at(-1)?.messages).toEqual([{ role: "user", content: "Second" }]);
    await userEvent.click(screen.getByRole("button", { name: "Previous message" }));
    expect(await screen.findByText("Answer 1")).toBeTruthy();
  });
});

test("an answer in the chat can be written anew by another model, which answers from then on", async () => {
  const { requests } = show();
  await ask("Why?");
  await userEvent.click(await screen.findByRole("button", { name: "Another model" }));
  await userEvent.click(await screen.findByRole("option", { name: /Llama-3/ }));
  expect(await screen.findByRole("button", { name: "Previous answer" })).toBeTruthy();
  await waitFor(() => expect(calls(requests).map(({ model }) => model)).toEqual(["Qwen/Qwen3-32B", "meta/Llama-3"]));
  expect(calls(requests)[1]?.messages).toEqual([{ role: "user", content: "Why?" }]);
  expect(screen.getByRole("button", { name: "Model: meta/Llama-3" })).toBeTruthy();
});

describe("several models in the chat", () => {
  test("several models in the chat answer side by side, each with its own previous answers as context", async () => {
    const { requests, container } = show(
      [
        http.chat.completions.create(async ({ request }) =>
          completeChatResponse(`I am ${(await bodyOf(request)).model}`),
        ),
      ],
      "/chat?model=Qwen%2FQwen3-32B&model=meta%2FLlama-3",
    );
    await ask("Who?");
    await screen.findByText("I am Qwen/Qwen3-32B");
    await screen.findByText("I am meta/Llama-3");
    expect(container.querySelector(".lanes")?.getAttribute("data-lanes")).toBe("2");
    expect(screen.getByRole("img", { name: "takes 4 units" })).toBeTruthy();
    await ask("And?");
    await waitFor(() => expect(calls(requests)).toHaveLength(4));
    const second = calls(requests)
      .slice(2)
      .map(({ model, messages }) => [model, messages[1]?.content]);
    expect(second).toEqual([
      ["Qwen/Qwen3-32B", "I am Qwen/Qwen3-32B"],
      ["meta/Llama-3", "I am meta/Llama-3"],
    ]);
  });

  test("several models in the chat are added and removed", async () => {
    const { router } = show();
    await userEvent.click(await screen.findByRole("button", { name: "+ compare" }));
    const dialog = await screen.findByRole("dialog");
    await userEvent.click(await within(dialog).findByRole("option", { name: /Llama-3/ }));
    await waitFor(() => expect(new URLSearchParams(router.state.location.search).getAll("model")).toHaveLength(2));
    await userEvent.click(screen.getByRole("button", { name: "Do not ask Qwen3-32B" }));
    await waitFor(() =>
      expect(new URLSearchParams(router.state.location.search).getAll("model")).toEqual(["meta/Llama-3"]),
    );
  });
});

describe("an error in the chat", () => {
  test.each([
    [429, "concurrency_limit_exceeded", "All units are in use.", ["Wait for free units", "Try again", "See what runs"]],
    [403, "model_not_on_plan", "Not on your plan.", ["See plans", "Choose another model"]],
    [403, "model_gated_needs_oauth", "Gated by its publisher.", ["Open its page", "Try again", "Choose another model"]],
    [400, "context_length_exceeded", "The conversation is too long for this model.", ["Send without the oldest"]],
    [402, "insufficient_credits", "The credits are used up.", ["Top up", "Try again"]],
    [502, "upstream_error", "The backend failed.", ["Try again", "See the status"]],
    [401, "unauthorized", "Your session has ended.", ["Log in", "Try again"]],
    [503, "model_loading", "The model is still being loaded.", ["Try again"]],
  ] as const)("%i %s", async (status, code, title, remedies) => {
    show([http.chat.completions.create(refuse(status, code, "Told by the server."))]);
    await ask("Why?");
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain(title);
    expect(alert.textContent).toContain("req_example");
    for (const name of remedies) expect(within(alert).getByText(name)).toBeTruthy();
    expect(conversation().getByText("Why?")).toBeTruthy();
  });

  test("an error in the chat of a code that the site does not know shows the message of the server", async () => {
    const error = { message: "Told by the server.", type: "x", param: null, code: "something_new" };
    show([http.chat.completions.create(() => respondWith(400, { error }, { "request-id": "req_9" }))]);
    await ask("Why?");
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("The request was refused. Told by the server.");
    expect(alert.textContent).toContain("req_9");
    expect(within(alert).getByText("Try again")).toBeTruthy();
    expect(conversation().getByText("Why?")).toBeTruthy();
  });

  test("an error in the chat for busy units is retried after a moment, and waits longer on request", async () => {
    const waits: (string | null)[] = [];
    let callCount = 0;
    show([
      http.chat.completions.create(() =>
        callCount++ === 0 ? refuse(429, "concurrency_limit_exceeded", "Busy.") : completeChatResponse("At last."),
      ),
    ]);
    const stubbed = globalThis.fetch;
    vi.stubGlobal("fetch", (request: Request, init?: RequestInit) => {
      if (request.url.endsWith("/chat/completions")) waits.push(request.headers.get("x-queue-timeout"));
      return stubbed(request, init);
    });
    await ask("Why?");
    await userEvent.click(await screen.findByRole("button", { name: "Wait for free units" }));
    expect(await screen.findByText("At last.")).toBeTruthy();
    expect(waits).toEqual(["5", "120"]);
    expect(screen.queryByRole("button", { name: "Previous answer" })).toBeNull();
  });

  const later = (status: number, code: ErrorCode, seconds: number) => {
    const error = { message: "Told.", type: "x", param: null, code, details: { loading_stage: "loading_weights" } };
    return respondWith(status, { error }, { "retry-after": String(seconds) });
  };

  test("an error in the chat for a model that is still being loaded is retried automatically", async () => {
    let callCount = 0;
    show([
      http.chat.completions.create(() =>
        callCount++ === 0 ? later(503, "model_loading", 1) : completeChatResponse("Awake."),
      ),
    ]);
    await ask("Why?");
    expect(await screen.findByText(/Asks again by itself in 1 s/)).toBeTruthy();
    expect(screen.getByRole("alert").textContent).toContain("It is at loading weights.");
    expect(await screen.findByText("Awake.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Previous answer" })).toBeNull();
  });

  test("an error in the chat is not retried if the user cancels", async () => {
    show([http.chat.completions.create(() => later(503, "model_loading", 60))]);
    await ask("Why?");
    await userEvent.click(await screen.findByRole("button", { name: "Do not ask again" }));
    expect(screen.getByText(/It makes sense to ask again in/)).toBeTruthy();
  });

  test("an error in the chat for too many requests shows a countdown outside of the live region", async () => {
    show([http.chat.completions.create(() => later(429, "rate_limit_exceeded", 60))]);
    await ask("Why?");
    const countdown = await screen.findByText(/It makes sense to ask again in (60|59) s\./);
    expect(countdown.closest("[role=alert], [aria-live]")).toBeNull();
  });

  test("an error in the chat in the middle of an answer keeps the text, and the answer can be continued", async () => {
    const chatStream = createChatStream();
    let callCount = 0;
    show([
      http.chat.completions.create(() =>
        callCount++ === 0 ? chatStream.response : completeChatResponse(" is trapped."),
      ),
    ]);
    await ask("Why?");
    chatStream.sendText("Air");
    await screen.findByText("Air");
    chatStream.close();
    expect((await screen.findByRole("alert")).textContent).toContain("The answer broke off.");
    expect(screen.getByText("Air")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Go on" }));
    expect(await screen.findByText("Air is trapped.")).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("an error in the chat for an ended session keeps everything, and leads to the login and back", async () => {
    let signedIn = true;
    const { router } = show([
      http.auth.me(() => (signedIn ? maria : refuse(401, "unauthorized", "Log in."))),
      http.chat.completions.create(refuse(401, "unauthorized", "Log in.")),
    ]);
    await ask("Precious words");
    signedIn = false;
    const alert = await screen.findByRole("alert");
    expect(conversation().getByText("Precious words")).toBeTruthy();
    const here = router.state.location.pathname + router.state.location.search;
    expect(within(alert).getByRole("link", { name: "Log in" }).getAttribute("href")).toBe(
      `/login?${new URLSearchParams({ returnTo: here })}`,
    );
  });
});

describe("the keyboard in the chat", () => {
  const messageField = () => screen.findByLabelText<HTMLTextAreaElement>("Message");

  test("the keyboard in the chat is in the message field when the chat opens, and again after Ctrl+J", async () => {
    const { router } = show();
    const field = await messageField();
    expect(document.activeElement).toBe(field);
    field.blur();
    await userEvent.keyboard("{Control>}j{/Control}");
    await waitFor(() => expect(router.state.location.search).toBe(""));
    expect(document.activeElement).toBe(await messageField());
  });

  test("the keyboard in the chat types into the message field wherever the focus is, and opens no other page", async () => {
    const { router } = show([], "/chat?model=Qwen%2FQwen3-32B", <Shortcuts />);
    const field = await messageField();
    for (const focused of [null, screen.getByRole("button", { name: "Attach files" })]) {
      await userEvent.clear(field);
      field.blur();
      focused?.focus();
      await userEvent.keyboard("what might be right?");
      expect(field.value).toBe("what might be right?");
    }
    expect(router.state.location.pathname).toBe("/chat");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("the keyboard in the chat does not open on a touch device before the field is touched", async () => {
    vi.stubGlobal("matchMedia", (query: string) => ({ matches: query === "(pointer: coarse)" }));
    show();
    expect(document.activeElement).not.toBe(await messageField());
  });
});

describe("a visitor of the chat", () => {
  test("a visitor of the chat is sent to the login, and returns to the model", async () => {
    show([http.auth.me(refuse(401, "unauthorized", "Log in."))]);
    const link = await screen.findByRole("link", { name: "Sign up" });
    expect(link.getAttribute("href")).toBe(
      `/register?${new URLSearchParams({ returnTo: "/chat?model=Qwen%2FQwen3-32B" })}`,
    );
    expect(screen.getAllByRole("link", { name: "Log in" })).toHaveLength(1);
    expect(screen.getByRole("region", { name: "An example" })).toBeTruthy();
    expect(screen.queryByLabelText("Message")).toBeNull();
    expect(screen.queryByRole("complementary")).toBeNull();
  });
});

test("shows that a model is unknown before anything is sent, with similar ones", async () => {
  const missing = refuse(404, "model_not_found", "No such model.", { suggestions: [qwen.id] });
  show([http.models.get(missing, { params: { id: "Qwen/Qwen3-32" } })], "/chat?model=Qwen%2FQwen3-32");
  expect(await screen.findByText("This server knows no model Qwen/Qwen3-32")).toBeTruthy();
  expect(screen.queryByText(/Talk to/)).toBeNull();
  expect(await screen.findByRole("link", { name: qwen.id })).toBeTruthy();
  await userEvent.type(screen.getByLabelText("Message"), "Hello");
  expect(screen.getByRole("button", { name: "Send" })).toHaveProperty("disabled", true);
});

test("says that what people write leaves the server, for a model that only a provider runs", async () => {
  const place = {
    kind: "provider" as const,
    name: "OpenRouter",
    provider: "openrouter",
    hosted: "elsewhere" as const,
    location: "several",
    region: null,
    state: "warm" as const,
    price: null,
    context_length: null,
    max_completion_tokens: null,
    quantization: null,
    abilities: { tools: null, images: null, structured_output: null, reasoning: null },
  };
  const remote = { ...qwen, hosted: ["elsewhere" as const], places: [place] };
  show([http.models.get(remote, { params: { id: qwen.id } })]);
  const text = "Qwen3-32B answers elsewhere, at OpenRouter. What you write leaves this server.";
  expect(await screen.findByText(text)).toBeTruthy();
});

test("marks a base model in the model picker", async () => {
  const base = catalogueModel("google/gemma-3-270m", { tags: ["base"] });
  const routes = [http.models.get(base, { params: { id: "google/gemma-3-270m" } })];
  show(routes, "/chat?model=google%2Fgemma-3-270m");
  expect(await screen.findByText(/gemma-3-270m is a base model/)).toBeTruthy();
  show();
  await screen.findByLabelText("Message");
  expect(screen.queryByText(/is a base model/)).toBeNull();
});

test("tells a viewer that they cannot call models before they send anything", async () => {
  const viewer = buildUser({ role: "viewer" });
  show([http.auth.me(viewer)]);
  expect(await screen.findByText(/You are a viewer of Winter & Sons/)).toBeTruthy();
  await userEvent.type(screen.getByLabelText("Message"), "Hello");
  expect(screen.getByRole("button", { name: "Send" })).toHaveProperty("disabled", true);
});

test("the chat shows the settings on request, and remembers that", async () => {
  show();
  await screen.findByLabelText("Message");
  expect(screen.queryByRole("complementary", { name: "Settings" })).toBeNull();
  vi.spyOn(window, "matchMedia").mockReturnValue({ matches: true } as MediaQueryList);
  await userEvent.click(screen.getByRole("button", { name: "Settings" }));
  expect(screen.getByRole("complementary", { name: "Settings" })).toBeTruthy();
  show();
  await userEvent.click(await screen.findByRole("button", { name: "Hide" }));
  expect(screen.queryByRole("complementary", { name: "Settings" })).toBeNull();
});

test("the picker lists models that can be called first, and selects one", async () => {
  const large = catalogueModel("a/large", {
    access: {
      callable: false,
      reasons: ["plan_model_size", "plan_context"],
      effective_context_length: 8192,
      unlocked: true,
    },
  });
  const small = catalogueModel("b/small", {
    access: { callable: true, reasons: ["plan_context"], effective_context_length: 8192, unlocked: true },
  });
  show(chatHandlers([large, small, qwen]));
  await userEvent.click(await screen.findByRole("button", { name: /compare/ }));
  const options = await screen.findAllByRole("option");
  expect(options[0]?.textContent).toContain("b/small");
  expect(options[0]?.getAttribute("aria-selected")).toBe("true");
  expect(
    within(screen.getByRole("group", { name: "Not for you yet" })).getByText("too large for your plan"),
  ).toBeTruthy();
  expect(screen.queryByText("context cut by your plan")).toBeNull();
});
