import { createUuid, isApiError, isNotFound, type Schemas } from "@feather/sdk";
import { feather } from "#/lib/feather.ts";
import { type ChatOwner, type ChatStorage, nameOwner } from "../conversation/chat-owner.ts";
import { type Channel, type Conversations, createConversations } from "../conversation/conversations.ts";
import { registerTab } from "../conversation/open-tabs.ts";
import { createServerChannel, watchPage } from "../conversation/server-channel.ts";
import { openBrowserStore } from "../conversation/store/browser-store.ts";
import { type FallbackStore, openFallbackStore, type StorageProblem } from "../conversation/store/fallback-store.ts";
import { createMemoryStore } from "../conversation/store/memory-store.ts";
import { createServerStore } from "../conversation/store/server-store.ts";
import type { Receipt } from "../conversation/types.ts";
import { type Answering, createAnswering } from "./answering.ts";
import { createLiveAnswers, type LiveAnswers } from "./live-answers.ts";
import { REQUEST_TIMEOUT_MS } from "./run-answer.ts";
import { createToolRounds, type ToolRounds, type ToolServers } from "./tool-calls/tool-rounds.ts";

/** Store, conversations and running answers of one user. */
export type ChatSession = {
  /** Names whose chats these are. */
  owner: string;
  userId: string;
  storage: ChatStorage;
  store: FallbackStore;
  conversations: Conversations;
  answering: Answering;
  live: LiveAnswers;
  toolRounds: ToolRounds;
  /** Stops the answers of a conversation and the tools that it waits for. */
  stop(conversation: string): void;
  close(): void;
};

/** Longer than any server lets a tool take. */
const TOOL_TIMEOUT_MS = 11 * 60_000;
/** How long a deleted conversation can be restored. */
const UNDO_PERIOD_MS = 60_000;

/** Opens the chat of a user; `onProblem` is called when history cannot be stored, and with null when it can again. */
export async function openChatSession(
  chatOwner: ChatOwner,
  onProblem: (problem: StorageProblem | null) => void,
): Promise<ChatSession> {
  const owner = nameOwner(chatOwner);
  const { userId, storage } = chatOwner;
  const { store, channel } = await openStore(chatOwner, onProblem);
  const live = createLiveAnswers();
  const now = () => Date.now();
  const newId = createUuid;
  const tabs = await registerTab(navigator.locks, owner, newId());
  const conversations = createConversations({
    store,
    channel,
    now,
    isWrittenByThisTab: live.has,
    listOpenTabs: tabs.listIds,
    onFollowable: (answer) => answering.follow(answer),
  });
  const toolRounds = createToolRounds({
    conversations,
    tools: toolServers,
    sendResults: (conversation, results) => answering.ask(conversation, { text: "", attachments: [], results }),
  });
  const answering: Answering = createAnswering({
    conversations,
    live,
    create: (body, options) => feather.chat.completions.create(body, options),
    openStream: (streamId, signal) =>
      feather.streams.get(streamId, { after: 0 }, { signal, timeout: REQUEST_TIMEOUT_MS }),
    stopStream,
    fetchReceipt,
    now,
    newId,
    wait,
    tab: tabs.ownId,
    isResumable: storage !== "off",
    isSavedByServer: storage === "server",
    offerTools: toolRounds.offer,
    onFinished: (answer) => void toolRounds.runApproved(answer),
  });
  if (storage === "browser") void purgeDeleted(store, now()).catch(() => {});
  return {
    owner,
    userId,
    storage,
    store,
    conversations,
    answering,
    live,
    toolRounds,
    stop(conversation): void {
      answering.stop(conversation);
      toolRounds.stop(conversation);
    },
    close(): void {
      answering.leave();
      toolRounds.stop();
      // Stopped answers are still being saved.
      setTimeout(() => {
        conversations.close();
        tabs.close();
      }, 1_000);
    },
  };
}

/** The tools of servers that the person can call. The server keeps what it knows of them for a minute. */
const toolServers: ToolServers = {
  list: async () => (await feather.tools.list()).items,
  call: async (name, given, signal) =>
    feather.tools.call(name, { arguments: given }, { signal, maxRetries: 0, timeout: TOOL_TIMEOUT_MS }),
};

type OpenedStore = { store: FallbackStore; channel: Channel | null };

async function openStore(
  chatOwner: ChatOwner,
  onProblem: (problem: StorageProblem | null) => void,
): Promise<OpenedStore> {
  const owner = nameOwner(chatOwner);
  if (chatOwner.storage === "off")
    return { store: { ...createMemoryStore(), storageProblem: () => null }, channel: null };
  const tabs = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(`feather-chat-${owner}`);
  if (chatOwner.storage === "browser")
    return { store: await openFallbackStore(() => openBrowserStore(owner), onProblem), channel: tabs };
  const store = createServerStore({ api: feather.conversations, onProblem, wait });
  return { store, channel: createServerChannel(store, tabs, watchPage) };
}

/** Deletes conversations whose undo period has passed. */
async function purgeDeleted(store: FallbackStore, now: number): Promise<void> {
  const expired = (await store.list()).filter(
    ({ deletedAt }) => deletedAt !== null && now - deletedAt > UNDO_PERIOD_MS,
  );
  if (expired.length > 0) await store.remove(expired.map(({ id }) => id));
}

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** When it is tried again to stop a stream that the server does not have: the call may be on its way. In milliseconds. */
const STOP_RETRY_DELAYS_MS = [0, 1_000, 3_000];

async function stopStream(streamId: string): Promise<void> {
  for (const delayMs of STOP_RETRY_DELAYS_MS) {
    await wait(delayMs);
    try {
      return await feather.streams.stop(streamId);
    } catch (error) {
      if (!isNotFound(error)) return; // the client has repeated it already
    }
  }
}

const RECEIPT_RETRY_DELAYS_MS = [300, 1_000, 3_000];

/** Fetches a receipt, with retries: it is written shortly after the answer has ended. Null if there is none. */
async function fetchReceipt(requestId: string): Promise<Receipt | null> {
  for (const delayMs of RECEIPT_RETRY_DELAYS_MS) {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    try {
      return toReceipt(await feather.usage.requests.get(requestId));
    } catch (error) {
      if (isApiError(error) && !isNotFound(error)) return null;
    }
  }
  return null;
}

function toReceipt(receipt: Schemas["Receipt"]): Receipt {
  const { units, prompt_tokens, completion_tokens, estimated, cost_status, cost_nano_usd } = receipt;
  return {
    units,
    promptTokens: prompt_tokens,
    tokens: completion_tokens,
    estimated,
    cost: cost_status === "final" ? cost_nano_usd : null,
  };
}
