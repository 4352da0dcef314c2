import { http, refuse } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import "fake-indexeddb/auto";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { storage } from "#/lib/browser/storage.ts";
import { catalogueModel, chatHandlers, completeChatResponse, createChatStream } from "#/testing/chat.ts";
import { bodyOf, maria, type RecordedRequest, renderPage } from "#/testing/page.tsx";
import ChatPage from "./chat.tsx";

const saved: { name: string; text: string }[] = [];
vi.mock("#/lib/browser/download-text.ts", () => ({
  downloadText: (name: string, _type: string, text: string) => saved.push({ name, text }),
}));

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  sessionStorage.clear();
  saved.length = 0;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
});

const qwen = catalogueModel("Qwen/Qwen3-32B");
const seeing = catalogueModel("Qwen/Qwen3-VL", { features: { ...qwen.features, image_input: true } });
const cold = catalogueModel("Qwen/Cold", {
  availability: { ...qwen.availability, tier: "loading", loading_stage: "weights", loading_progress: 0.62 },
});
const FRESH = "/chat?model=Qwen%2FQwen3-32B";

const show = (address = FRESH, routes: StubHandlers = []) =>
  renderPage(
    <ToastProvider>
      <ChatPage />
    </ToastProvider>,
    "/chat",
    address,
    [
      ...routes,
      http.chat.completions.create(async ({ request }) =>
        completeChatResponse(`Echo of ${lastOf(await bodyOf(request))}`),
      ),
      ...chatHandlers([qwen, seeing, cold]),
      http.auth.me(maria),
    ],
  );
const lastOf = (body: unknown): string => {
  const content = (body as { messages: { content: unknown }[] }).messages.at(-1)?.content;
  return typeof content === "string" ? content : JSON.stringify(content);
};
const calls = (requests: RecordedRequest[]) => requests.filter(({ path }) => path === "/v1/chat/completions");
const conversation = () => within(screen.getByRole("region", { name: "Conversation" }));
const findHistory = async () => within(await screen.findByRole("navigation", { name: "Chats" }));

async function ready(): Promise<HTMLElement> {
  const field = await screen.findByLabelText("Message");
  await waitFor(() => expect(screen.getByRole("button", { name: "Attach files" })).toHaveProperty("disabled", false));
  return field;
}
async function ask(text: string): Promise<void> {
  await userEvent.type(await ready(), `${text}{Enter}`);
  await conversation().findByText(`Echo of ${text}`);
}
async function menu(title: string, item: string): Promise<void> {
  await userEvent.click(await (await findHistory()).findByRole("button", { name: `Menu of ${title}` }));
  await userEvent.click(await screen.findByRole("menuitem", { name: item }));
}

describe("the chat history", () => {
  test("the chat history survives a reload, and opens the last conversation", async () => {
    const { router } = show();
    await ask("feathers");
    const address = router.state.location.pathname + router.state.location.search;
    expect(address).toMatch(/^\/chat\?c=/);
    await screen.findByText("2 units");
    show(address);
    await screen.findByRole("region", { name: "Conversation" });
    expect(await conversation().findByText("Echo of feathers")).toBeTruthy();
    expect((await (await findHistory()).findByRole("link", { name: "feathers" })).getAttribute("aria-current")).toBe(
      "page",
    );
  });

  test("the chat history is searched by content, and tells when nothing matches", async () => {
    show();
    await ask("feathers");
    await userEvent.type(screen.getByLabelText("Search chats"), "echo of");
    expect(await (await findHistory()).findByText(/Echo of feathers/)).toBeTruthy();
    await userEvent.type(screen.getByLabelText("Search chats"), " nothing");
    expect(await screen.findByText("Nothing here says that.")).toBeTruthy();
  });

  test("the chat history renames a conversation, and rejects an empty title", async () => {
    show();
    await ask("feathers");
    await menu("feathers", "Rename");
    const field = await screen.findByLabelText("Title");
    await userEvent.clear(field);
    await userEvent.type(field, "  ");
    await userEvent.click(screen.getByRole("button", { name: "Rename" }));
    expect(await screen.findByText("Title is not valid.")).toBeTruthy();
    await userEvent.type(field, "<b>Down</b>");
    await userEvent.click(screen.getByRole("button", { name: "Rename" }));
    expect(await (await findHistory()).findByRole("link", { name: "<b>Down</b>" })).toBeTruthy();
  });

  test("the chat history deletes a conversation, and restores it by undo", async () => {
    const { router } = show();
    await ask("feathers");
    await menu("feathers", "Delete");
    await waitFor(() => expect(router.state.location.search).toBe(""));
    await waitFor(async () => expect((await findHistory()).queryByRole("link")).toBeNull());
    await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
    expect(await conversation().findByText("Echo of feathers")).toBeTruthy();
    expect(await (await findHistory()).findByRole("link", { name: "feathers" })).toBeTruthy();
  });

  test("the chat history deletes all conversations only after a confirmation", async () => {
    show();
    await ask("feathers");
    await userEvent.click(await screen.findByRole("button", { name: "Delete all" }));
    await userEvent.click(await screen.findByRole("button", { name: "Cancel" }));
    expect((await findHistory()).getByRole("link", { name: "feathers" })).toBeTruthy();
    await userEvent.click(await screen.findByRole("button", { name: "Delete all" }));
    await userEvent.click(await screen.findByRole("button", { name: "Delete all chats" }));
    await waitFor(async () => expect((await findHistory()).queryByRole("link")).toBeNull());
  });

  test("the chat history exports a conversation, and imports it as a new one", async () => {
    show();
    await ask("feathers");
    await menu("feathers", "Save as JSON");
    await waitFor(() => expect(saved).toHaveLength(1));
    await menu("feathers", "Save as Markdown");
    await waitFor(() => expect(saved[1]).toMatchObject({ name: "feathers.md" }));
    expect(saved[1]?.text).toContain("Echo of feathers");
    const file = new File([saved[0]?.text ?? ""], "talk.json", { type: "application/json" });
    await userEvent.upload(screen.getByLabelText("Chat file"), file);
    await waitFor(async () => expect((await findHistory()).getAllByRole("link", { name: "feathers" })).toHaveLength(2));
    expect(await conversation().findByText("Echo of feathers")).toBeTruthy();
  });

  test("the chat history saves all conversations in one file, and opens them again, without lines that are none", async () => {
    show();
    await ask("feathers");
    await userEvent.click(screen.getByRole("button", { name: /^New chat/ }));
    await ask("down");
    await userEvent.click(await screen.findByRole("button", { name: "Save all" }));
    await waitFor(() => expect(saved).toMatchObject([{ name: "feather-chats.jsonl" }]));
    const lines = saved[0]?.text ?? "";
    expect(lines.trimEnd().split("\n")).toHaveLength(2);
    const file = new File([`${lines}no chat\n`], "all.jsonl", { type: "application/jsonl" });
    await userEvent.upload(screen.getByLabelText("Chat file"), file);
    expect(await screen.findByText("2 chats opened")).toBeTruthy();
    expect(screen.getByText("1 line is no chat.")).toBeTruthy();
    for (const name of ["feathers", "down"])
      await waitFor(async () => expect((await findHistory()).getAllByRole("link", { name })).toHaveLength(2));
  });

  test("the chat history rejects other files", async () => {
    show();
    await ready();
    await userEvent.upload(
      await screen.findByLabelText("Chat file"),
      new File(["{}"], "x.json", { type: "application/json" }),
    );
    expect(await screen.findByText("This is no chat file.")).toBeTruthy();
  });

  test("the chat history takes over an export of another program after it said what is in it", async () => {
    show();
    const message = (role: string, content: string) => ({
      author: { role },
      content: { content_type: "text", parts: [content] },
    });
    const mapping = {
      q: { parent: null, message: message("user", "Which bird?") },
      a: { parent: "q", message: message("assistant", "The wren.") },
    };
    const chat = { title: "Lightest bird", conversation_id: "c1", current_node: "a", mapping };
    const file = new File([JSON.stringify([chat])], "conversations.json", { type: "application/json" });
    await userEvent.upload(await screen.findByLabelText("Chat file"), file);
    expect(await screen.findByText(/The file has 1 chat with 2 messages/)).toBeTruthy();
    expect(screen.queryByText("Lightest bird")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Take over" }));
    await userEvent.click(await screen.findByRole("link", { name: "Lightest bird" }));
    expect(await screen.findByText("The wren.")).toBeTruthy();
  });

  test("the chat history tells that a conversation belongs to another browser", async () => {
    show("/chat?c=unknown");
    expect(await screen.findByText("This chat is not kept here")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Send" })).toHaveProperty("disabled", true);
  });

  test("the chat history tells that it cannot be stored, and the chat still works", async () => {
    vi.stubGlobal("indexedDB", {
      open: () => {
        throw new DOMException("denied", "SecurityError");
      },
    });
    show();
    await ask("feathers");
    expect(await screen.findByText(/History is not kept: this browser does not allow it/)).toBeTruthy();
    await ask("down");
    expect((await findHistory()).getByRole("link", { name: "feathers" })).toBeTruthy();
  });
});

describe("the order of the chat history", () => {
  const open = async (trigger: HTMLElement) => {
    trigger.focus();
    await userEvent.keyboard("{ArrowRight}");
  };
  /** Moves a chat to a folder of the submenu, with the keyboard. */
  async function move(title: string, target: string): Promise<void> {
    await userEvent.click(await (await findHistory()).findByRole("button", { name: `Menu of ${title}` }));
    await open(await screen.findByRole("menuitem", { name: "Move to a folder" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: target }));
  }
  async function moveToNew(title: string, folder: string): Promise<void> {
    await move(title, "New folder");
    await userEvent.type(await screen.findByLabelText("Name"), folder);
    await userEvent.click(screen.getByRole("button", { name: "Move" }));
  }

  test("a pinned chat has a heading of its own until it is unpinned", async () => {
    show();
    await ask("feathers");
    await menu("feathers", "Pin");
    expect(await (await findHistory()).findByRole("heading", { name: "Pinned" })).toBeTruthy();
    await menu("feathers", "Unpin");
    await waitFor(async () => expect((await findHistory()).queryByRole("heading", { name: "Pinned" })).toBeNull());
    expect((await findHistory()).getByRole("link", { name: "feathers" })).toBeTruthy();
  });

  test("an archived chat leaves the list, is found by the search and in the archive, and comes back", async () => {
    show();
    await ask("feathers");
    await menu("feathers", "Archive");
    await waitFor(async () => expect((await findHistory()).queryByRole("link")).toBeNull());
    await userEvent.type(screen.getByLabelText("Search chats"), "feath");
    expect(await (await findHistory()).findByRole("link", { name: /feathers/ })).toBeTruthy();
    await userEvent.clear(screen.getByLabelText("Search chats"));
    await userEvent.click(await screen.findByRole("button", { name: "Archive (1)" }));
    await menu("feathers", "Out of the archive");
    expect(await (await findHistory()).findByRole("link", { name: "feathers" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: /Archive \(/ })).toBeNull();
  });

  test("chats are moved to a folder, which is renamed, found by its name, and dissolved without deleting them", async () => {
    show();
    await ask("feathers");
    await moveToNew("feathers", "Birds");
    expect(await (await findHistory()).findByText("Birds")).toBeTruthy();
    await userEvent.click((await findHistory()).getByRole("button", { name: "Menu of the folder Birds" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Rename" }));
    const field = await screen.findByLabelText("Name");
    await userEvent.clear(field);
    await userEvent.type(field, "  ");
    await userEvent.click(screen.getByRole("button", { name: "Rename" }));
    expect(await screen.findByText("Name is not valid.")).toBeTruthy();
    await userEvent.type(field, "Animals");
    await userEvent.click(screen.getByRole("button", { name: "Rename" }));
    expect(await (await findHistory()).findByText("Animals")).toBeTruthy();
    await userEvent.type(screen.getByLabelText("Search chats"), "anim");
    expect(await (await findHistory()).findByRole("link", { name: "feathers" })).toBeTruthy();
    await userEvent.clear(screen.getByLabelText("Search chats"));
    await userEvent.click(await (await findHistory()).findByRole("button", { name: "Menu of the folder Animals" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: /Dissolve/ }));
    await waitFor(async () => expect((await findHistory()).queryByText("Animals")).toBeNull());
    expect((await findHistory()).getByRole("link", { name: "feathers" })).toBeTruthy();
  });

  test("a chat is taken out of its folder by the menu, and the folder ends with its last chat", async () => {
    show();
    await ask("feathers");
    await moveToNew("feathers", "Birds");
    await (await findHistory()).findByText("Birds");
    await move("feathers", "Out of its folder");
    await waitFor(async () => expect((await findHistory()).queryByText("Birds")).toBeNull());
  });
});

describe("the draft of a message", () => {
  test("the draft of a message survives a reload, separately for each conversation", async () => {
    show();
    await userEvent.type(await ready(), "half a thou");
    show();
    expect(await screen.findByDisplayValue("half a thou")).toBeTruthy();
    show("/chat?c=unknown");
    await screen.findByText("This chat is not kept here");
    expect(screen.queryByDisplayValue("half a thou")).toBeNull();
  });

  test("the draft of a message stays when the session ends, with a notice", async () => {
    let signedIn = true;
    const chatStream = createChatStream();
    const { router } = show(FRESH, [
      http.auth.me(() => (signedIn ? maria : refuse(401, "unauthorized", "Log in."))),
      http.chat.completions.create(chatStream.response),
    ]);
    await userEvent.type(await ready(), "Why?{Enter}");
    chatStream.sendText("Because");
    await conversation().findByText("Because");
    await userEvent.type(screen.getByLabelText("Message"), "next thought");
    signedIn = false;
    window.dispatchEvent(new Event("visibilitychange"));
    chatStream.close();
    await screen.findByText(/The answer broke off/);
    expect(conversation().getByText("Because")).toBeTruthy();
    expect(screen.getByDisplayValue("next thought")).toBeTruthy();
    expect(router.state.location.search).toContain("c=");
  });

  test("the draft of a message gets a new line with Shift and Enter", async () => {
    const { requests } = show();
    await userEvent.type(await ready(), "one{Shift>}{Enter}{/Shift}two");
    expect(calls(requests)).toHaveLength(0);
    expect(screen.getByDisplayValue(/one\s*two/)).toBeTruthy();
  });
});

// GIFs are sent as they are; others are drawn anew, which only browsers do.
const picture = () => new File(["abc"], "a.gif", { type: "image/gif" });

describe("file attachments", () => {
  test("file attachments are sent: an image to a model with vision, a text file to any model", async () => {
    const { requests } = show("/chat?model=Qwen%2FQwen3-VL");
    await ready();
    await userEvent.upload(screen.getByLabelText("Files"), [
      picture(),
      new File(["Inside."], "a.md", { type: "text/markdown" }),
    ]);
    expect(await screen.findByRole("img", { name: "a.gif" })).toBeTruthy();
    await userEvent.type(screen.getByLabelText("Message"), "What is it?{Enter}");
    await waitFor(() => expect(calls(requests)).toHaveLength(1));
    const [sent] = calls(requests).map(({ body }) => body as unknown as { messages: { content: unknown }[] });
    expect(sent?.messages[0]?.content).toEqual([
      { type: "image_url", image_url: { url: "data:image/gif;base64,YWJj" } },
      { type: "text", text: '<file name="a.md">\nInside.\n</file>\n\nWhat is it?' },
    ]);
  });

  test("file attachments can be pasted and dropped, and an image is refused by a model without vision", async () => {
    show();
    const field = await ready();
    fireEvent.paste(field, { clipboardData: { files: [picture()] } });
    expect(await screen.findByText("This model does not take images.")).toBeTruthy();
    const dataTransfer = { types: ["Files"], files: [new File(["x"], "b.txt", { type: "text/plain" })] };
    fireEvent.drop(field, { dataTransfer });
    await screen.findByText(/about 1 tokens/);
    await userEvent.click(screen.getByRole("button", { name: "Remove b.txt" }));
    expect(screen.queryByText("b.txt")).toBeNull();
  });
});

test("the chat shows an invalid setting, and blocks sending", async () => {
  storage.set("chat-settings-shown", "yes");
  show();
  await ready();
  await userEvent.click(await screen.findByText("More"));
  await userEvent.type(screen.getByLabelText("Seed"), "seven");
  await userEvent.type(screen.getByLabelText("Message"), "Hello");
  expect(screen.getAllByText(/Seed is not valid\./).length).toBeGreaterThan(0);
  expect(screen.getByRole("button", { name: "Send" })).toHaveProperty("disabled", true);
  await userEvent.clear(screen.getByLabelText("Seed"));
  expect(screen.getByRole("button", { name: "Send" })).toHaveProperty("disabled", false);
});

test("waits for a model that is being loaded, and shows the stage", async () => {
  const chatStream = createChatStream();
  show("/chat?model=Qwen%2FCold", [http.chat.completions.create(chatStream.response)]);
  expect(await screen.findByText(/Cold: The model is loading weights, 62 %/)).toBeTruthy();
  await userEvent.type(await ready(), "Hello{Enter}");
  expect(await conversation().findByText("The model is loading weights, 62 %.")).toBeTruthy();
  chatStream.sendText("Awake.");
  chatStream.end();
  expect(await conversation().findByText("Awake.")).toBeTruthy();
});

test("the chat shows the call as code", async () => {
  storage.set("chat-settings-shown", "yes");
  show();
  await userEvent.type(await ready(), "Hello there");
  await userEvent.click(await screen.findByRole("button", { name: "Copy as code" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect((await dialog.findByText(/curl .*\/v1\/chat\/completions/)).textContent).toContain("Hello there");
  await userEvent.click(dialog.getByRole("tab", { name: "CLI" }));
  expect(await dialog.findByText(/feather chat -m Qwen\/Qwen3-32B/)).toBeTruthy();
});
