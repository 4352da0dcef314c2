import { ApiError, ConnectionError, type StreamEvent } from "@feather/sdk";
import { formatChunk } from "@feather/testing/chat-events";
import { expect, test } from "vitest";
import { answer, conversation, question } from "#/testing/conversations.ts";
import { createConversations } from "../conversation/conversations.ts";
import { createMemoryStore } from "../conversation/store/memory-store.ts";
import type { Answer } from "../conversation/types.ts";
import { type Answering, createAnswering } from "./answering.ts";
import { createLiveAnswers } from "./live-answers.ts";
import type { AnswerEvents } from "./run-answer.ts";

const chunk = (delta: object, finish: string | null = null) =>
  JSON.parse(formatChunk(delta, finish).slice("data: ".length)) as StreamEvent;
const notFound = () => new ApiError({ status: 404, message: "Gone", code: "streams.not_found", requestId: null });
const STOPPED = () => new ApiError({ status: 400, message: "Stopped", code: "request_stopped", requestId: null });

/** A stream that a test feeds, and that any number of pages read from its beginning. */
function createServerStream() {
  const events: StreamEvent[] = [];
  const waiting = new Set<() => void>();
  let end: "open" | "done" | Error = "open";
  const wake = () => {
    for (const resume of waiting) resume();
  };
  async function* read(signal: AbortSignal): AsyncGenerator<StreamEvent> {
    for (let at = 0; ; ) {
      const event = events[at];
      if (event !== undefined) {
        at += 1;
        yield event;
      } else if (end === "done") return;
      else if (end !== "open") throw end;
      else
        await new Promise<void>((resolve, reject) => {
          waiting.add(resolve);
          signal.addEventListener("abort", () => reject(signal.reason));
        });
    }
  }
  return {
    open: (signal: AbortSignal): AnswerEvents => ({
      requestId: "req_1",
      streamId: "stream",
      [Symbol.asyncIterator]: () => read(signal),
    }),
    send(text: string): void {
      events.push(chunk({ content: text }));
      wake();
    },
    end(how: "done" | Error = "done"): void {
      if (how === "done") events.push(chunk({}, "stop"));
      end = how;
      wake();
    },
  };
}

/** A store and a server, and pages that show the same conversation. */
function setup() {
  const store = createMemoryStore();
  const stream = createServerStream();
  const stopped: string[] = [];
  let failures: Error[] = [];
  let at = 1_000;
  const saveHeaders: (string | undefined)[] = [];
  function openPage(isSavedByServer = false, wait: () => Promise<void> = async () => {}) {
    const live = createLiveAnswers();
    const conversations = createConversations({
      store,
      channel: null,
      now: () => at,
      isWrittenByThisTab: live.has,
      listOpenTabs: async () => new Set<string>(),
      onFollowable: (one) => answering.follow(one),
    });
    let ids = 0;
    const answering: Answering = createAnswering({
      conversations,
      live,
      create: async (_body, { signal, headers }) => {
        saveHeaders.push(headers["x-save-answer"]);
        return stream.open(signal);
      },
      openStream: async (_id, signal) => {
        const failure = failures.shift();
        if (failure) throw failure;
        return stream.open(signal);
      },
      stopStream: async (id) => {
        stopped.push(id);
        stream.end(STOPPED());
      },
      fetchReceipt: async () => null,
      now: () => at,
      newId: () => `new-${++ids}`,
      tab: "tab",
      isResumable: true,
      isSavedByServer,
      wait,
      offerTools: async () => [],
      onFinished: () => {},
    });
    const saved = async () => (await store.entries("c")).find((one): one is Answer => one.kind === "answer");
    return { live, conversations, answering, saved };
  }
  return {
    store,
    stream,
    stopped,
    saveHeaders,
    openPage,
    failNext: (...errors: Error[]) => {
      failures = errors;
    },
    advance: (milliseconds: number) => {
      at += milliseconds;
    },
  };
}

const writing = (more: Partial<Answer> = {}) =>
  answer("a1", "q1", { state: "streaming", text: "", streamId: "stream", savedAt: 1_000, ...more });

/** Opens a page that shows a conversation whose answer another page began. */
async function openFollower({ store, openPage }: ReturnType<typeof setup>, more: Partial<Answer> = {}) {
  await store.write("c", () => conversation(), [question("q1"), writing(more)]);
  const page = openPage();
  await page.conversations.load("c");
  return page;
}

test("a page that is loaded in the middle of an answer shows it live, and saves it once it has ended", async () => {
  const setting = setup();
  setting.stream.send("Because ");
  const { live, saved } = await openFollower(setting);
  await expect.poll(() => live.get("a1")?.text).toBe("Because ");
  setting.stream.send("of air.");
  await expect.poll(() => live.get("a1")?.text).toBe("Because of air.");
  setting.stream.end();
  await expect.poll(async () => (await saved())?.state).toBe("done");
  expect(await saved()).toMatchObject({ text: "Because of air.", requestId: "req_1", error: null });
  expect((await saved())?.streamId).toBeUndefined();
});

test("a page that is loaded after the end of an answer that nobody saved gets all of it", async () => {
  const setting = setup();
  setting.stream.send("Air.");
  setting.stream.end();
  const { saved } = await openFollower(setting, { text: "A" });
  await expect.poll(async () => (await saved())?.state).toBe("done");
  expect((await saved())?.text).toBe("Air.");
});

test("the stop button of each page stops an answer, and all pages keep its text", async () => {
  const setting = setup();
  setting.stream.send("Because");
  const [one, other] = [await openFollower(setting), setting.openPage()];
  await other.conversations.load("c");
  for (const { live } of [one, other]) await expect.poll(() => live.get("a1")?.text).toBe("Because");
  other.answering.stop("c");
  expect(setting.stopped).toEqual(["stream"]);
  for (const { conversations } of [one, other])
    await expect
      .poll(() => conversations.get("c")?.tree.entries.get("a1"))
      .toMatchObject({ state: "stopped", text: "Because", error: null });
});

test("an answer goes on when its page is left, and is not saved as stopped", async () => {
  const setting = setup();
  setting.stream.send("Because");
  const { answering, live, saved } = await openFollower(setting);
  await expect.poll(() => live.get("a1")?.text).toBe("Because");
  answering.leave();
  await expect.poll(() => live.has("a1")).toBe(false);
  expect([setting.stopped, (await saved())?.state]).toEqual([[], "streaming"]);
});

test("an answer is followed again after the connection was lost, and when the server does not have it yet", async () => {
  const setting = setup();
  setting.failNext(notFound(), new ConnectionError("lost"), new ConnectionError("lost"));
  setting.stream.send("Air.");
  setting.stream.end();
  const { saved } = await openFollower(setting);
  await expect.poll(async () => (await saved())?.text).toBe("Air.");
});

test("an answer whose stream is gone counts as broken off, and keeps the text that was saved", async () => {
  const setting = setup();
  setting.advance(15_000);
  setting.failNext(notFound());
  const { saved } = await openFollower(setting, { text: "Half" });
  await expect.poll(async () => (await saved())?.state).toBe("failed");
  expect(await saved()).toMatchObject({ text: "Half", error: { code: "broken_off" } });
});

test("a question is asked with a stream, and continuing an answer without one", async () => {
  const setting = setup();
  const page = setting.openPage();
  await page.conversations.create(conversation());
  page.answering.ask("c", { text: "Why?", attachments: [] });
  await expect.poll(async () => (await page.saved())?.streamId).toMatch(/^new-/);
  setting.stream.send("Air");
  await expect
    .poll(() => page.live.get([...(page.conversations.get("c")?.tree.entries.keys() ?? [])][1] ?? "")?.text)
    .toBe("Air");
  page.answering.stop("c");
  await expect.poll(async () => (await page.saved())?.state).toBe("stopped");
  const stopped = (await page.saved()) ?? expect.fail("It was not saved.");
  page.answering.continueAnswer(stopped);
  expect(page.conversations.get("c")?.tree.entries.get(stopped.id)).toMatchObject({
    state: "streaming",
    streamId: undefined,
  });
});

const never = () => new Promise<void>(() => {});

test("a question says where the server saves its answer once it is stored there, and continuing an answer does not", async () => {
  const { openPage, saveHeaders, stream } = setup();
  const page = openPage(true, never);
  await page.conversations.create(conversation());
  page.answering.ask("c", { text: "Why?", attachments: [] });
  await expect.poll(() => saveHeaders).toHaveLength(1);
  const stored = (await page.saved()) ?? expect.fail("It is not stored.");
  expect(saveHeaders).toEqual([`c/${stored.id}`]);
  stream.end();
  await expect.poll(async () => (await page.saved())?.state).toBe("done");
  page.answering.continueAnswer(stored);
  await expect.poll(() => saveHeaders).toEqual([`c/${stored.id}`, undefined]);
});

test.each([
  ["is refused", () => Promise.reject(new Error("full")), never],
  ["takes long", never, async () => {}],
])("a question whose storing %s is asked without the server saving its answer", async (_what, write, wait) => {
  const { openPage, saveHeaders, store } = setup();
  const page = openPage(true, wait);
  await page.conversations.create(conversation());
  store.write = write;
  page.answering.ask("c", { text: "Why?", attachments: [] });
  await expect.poll(() => saveHeaders).toEqual([undefined]);
});

test("where chats are kept in the browser the server is not asked to save", async () => {
  const { openPage, saveHeaders } = setup();
  const page = openPage(false, never);
  await page.conversations.create(conversation());
  page.answering.ask("c", { text: "Why?", attachments: [] });
  await expect.poll(() => saveHeaders).toEqual([undefined]);
});
