import { can, createUuid, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useMemo, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { useUser } from "#/entities/session/user.ts";
import type { AnswerActions } from "./answering/answer-error-notice.tsx";
import type { UserInput } from "./answering/answering.ts";
import { useIsRunning } from "./answering/tool-calls/use-is-running.ts";
import { useChatSession, useConversation } from "./answering/use-chat-session.ts";
import { withChosenCollections } from "./collections/chosen-collections.ts";
import type { FoundPassages } from "./collections/find-passages.ts";
import { type ChosenModels, useChatModels } from "./composer/use-chat-models.ts";
import { useDraft } from "./composer/use-draft.ts";
import { type ChatSettings, DEFAULT_SETTINGS, validateSettings } from "./conversation/settings.ts";
import { selectionOf, type Turn, visibleTurns } from "./conversation/tree.ts";
import { type Answer, type Attachment, type Conversation, NO_PLACE } from "./conversation/types.ts";
import { measureContext, PROMPT_SHARE } from "./measure-context.ts";
import type { TurnActions } from "./thread/turn-view.tsx";
import { useSend } from "./use-send.ts";

const NO_TURNS: readonly Turn[] = [];
const UNITS_TIMEOUT_SECONDS = 120;
const DEFAULT_CONTEXT_TOKENS = 8192;

const COLLECTION_ID = /^col_\w{1,64}$/;

/** State and actions of the chat page. The conversation, and the models of a new one, are in the URL. */
export function useChat() {
  const [params, setParams] = useSearchParams();
  const { user, loading } = useUser();
  const { session, storageProblem } = useChatSession(user);
  const id = params.get("c");
  const { conversationState, conversation, turns } = useShownConversation(session, id);
  const [newSettings, setNewSettings] = useNewSettings(params.get("collection"));
  const settings = conversation?.settings ?? newSettings;
  const models = useChatModels(conversation?.models ?? params.getAll("model"));
  const draft = useDraft(id, models.acceptImages);
  const [editing, setEditing] = useState<string | null>(null);
  const [replacing, setReplacing] = useState<Answer | null>(null);
  const returnTo = `/chat${params.size > 0 ? `?${params}` : ""}`;
  const isCallingTools = useIsRunning(session?.toolRounds ?? null, turns.at(-1)?.lanes[0]?.answer?.id ?? null);
  const isAnswering =
    turns.at(-1)?.lanes.some(({ answer }) => answer?.state === "streaming" && session?.live.has(answer.id)) ?? false;

  const isHistoryStored = storageProblem === null && session?.storage !== "off";
  const measured = measureContext({ draft, turns, settings, context: models.contextTokens });
  const { longFiles } = measured;
  const { stopSearch, ...sender } = useSend({
    ...{ session, conversation: id, turns, settings, contextTokens: models.contextTokens },
    ...{ draftText: draft.text, longFiles, sendDraft },
  });
  const actions = useTurnActions({
    session,
    edit: sender.edit,
    returnTo,
    isHistoryStored,
    context: models.contextTokens,
    setEditing,
    setReplacing,
  });

  function setModels(next: readonly string[]): void {
    if (id === null || !conversation)
      setParams(new URLSearchParams(next.map((one) => ["model", one])), { replace: true });
    else void session?.conversations.update(id, (stored) => ({ ...stored, models: next }));
  }

  function setSettings(next: ChatSettings): void {
    if (id === null || !conversation) setNewSettings(next);
    else void session?.conversations.update(id, (stored) => ({ ...stored, settings: next }));
  }

  function sendDraft(found: FoundPassages | null): void {
    if (!session || models.ids.length === 0) return;
    const input = toInput(draft, found);
    draft.clear();
    if (id !== null && conversation) {
      if (conversation.models.length === 0) setModels(models.ids);
      session.answering.ask(id, input);
      return;
    }
    const created = createConversation(models.ids, settings);
    void session.conversations.create(created).catch(() => {});
    session.answering.ask(created.id, input);
    setParams({ c: created.id }, { replace: true });
  }

  return {
    session,
    storageProblem,
    isHistoryStored,
    id,
    conversationState,
    returnTo,
    turns,
    settings,
    setSettings,
    models,
    setModels,
    draft,
    sendBlockers: listSendBlockers({ user, models, settings, draft, longFiles }),
    ...sender,
    busy: isAnswering || isCallingTools,
    stop(): void {
      stopSearch();
      if (id !== null) session?.stop(id);
    },
    editing,
    setEditing,
    replacing,
    setReplacing,
    actions,
    signedOut: !loading && user === null,
    ...measured,
  };
}

/** The settings of a new conversation. A `collection` in the address is chosen for it; another one takes its place. */
function useNewSettings(collection: string | null) {
  const [settings, setSettings] = useState<ChatSettings>(DEFAULT_SETTINGS);
  const [chosen, setChosen] = useState<string | null>(null);
  if (collection !== chosen) {
    setChosen(collection);
    if (collection !== null && COLLECTION_ID.test(collection))
      setSettings(withChosenCollections(settings, [collection]));
  }
  return [settings, setSettings] as const;
}

/** Returns a conversation with the turns of it that are shown. */
function useShownConversation(session: ReturnType<typeof useChatSession>["session"], id: string | null) {
  const conversationState = useConversation(session, id);
  const snapshot = conversationState.state === "open" ? conversationState.snapshot : null;
  const turns = useMemo(
    () => (snapshot ? visibleTurns(snapshot.tree, snapshot.conversation.chosen) : NO_TURNS),
    [snapshot],
  );
  return { conversationState, conversation: snapshot?.conversation ?? null, turns };
}

type Draft = Pick<ReturnType<typeof useDraft>, "text" | "attachments">;

/** Returns what is sent: the message, with what was found for it. */
function toInput({ text, attachments }: Draft, found: FoundPassages | null): UserInput {
  const marked = attachments.map((file) => {
    const count = found?.counts.get(file.id);
    return count === undefined ? file : { ...file, passages: count };
  });
  return { text: text.trim(), attachments: marked, ...(found && { passages: found.passages }) };
}

type SendBlockersInput = {
  user: User | null;
  models: ChosenModels;
  settings: ChatSettings;
  draft: Draft;
  longFiles: readonly Attachment[];
};

/** Returns why the message cannot be sent; empty if it can. */
function listSendBlockers({ user, models, settings, draft, longFiles }: SendBlockersInput): string[] {
  const hasImages = draft.attachments.some(({ kind }) => kind === "image");
  return [
    ...(user && !can(user, "call_models")
      ? [t`You are a viewer of ${user.organization.name}, and viewers call no models. Ask one of its admins.`]
      : []),
    ...models.unknownModels.map(({ id }) => t`This server knows no model ${id}. Choose another.`),
    ...Object.values(validateSettings(settings)),
    ...(hasImages && !models.acceptImages
      ? [t`${models.displayNames} takes no images: remove them, or choose another model.`]
      : []),
    ...(longFiles.length > 0 && draft.text.trim() === ""
      ? [t`Write a question: passages that go with it are sent of files that are too long to go whole.`]
      : []),
  ];
}

/** The object returned by `useChat`. */
export type Chat = ReturnType<typeof useChat>;

type TurnActionsOptions = {
  session: ReturnType<typeof useChatSession>["session"];
  returnTo: string;
  isHistoryStored: boolean;
  context: number | null;
  setEditing(id: string | null): void;
  setReplacing(answer: Answer): void;
  edit: TurnActions["edit"];
};

/** Memoized, so that earlier turns are not rendered again with each token. */
function useTurnActions({
  session,
  returnTo,
  isHistoryStored,
  context,
  setEditing,
  setReplacing,
  edit,
}: TurnActionsOptions): TurnActions | null {
  return useMemo(() => {
    if (!session) return null;
    const { answering, conversations, live, toolRounds } = session;
    const answerActions: AnswerActions = {
      regenerate: (answer) => answering.regenerate(answer),
      retryInQueue: (answer) => answering.regenerate(answer, { unitsTimeoutSeconds: UNITS_TIMEOUT_SECONDS }),
      continueAnswer: (answer) => answering.continueAnswer(answer),
      regenerateWithNewest: (answer) =>
        answering.regenerate(answer, { maxPromptTokens: maxPromptTokens(answer, context) }),
      chooseOtherModel: setReplacing,
      returnTo,
      isHistoryStored,
    };
    const id = new URLSearchParams(returnTo.split("?")[1]).get("c") ?? "";
    return {
      live,
      toolRounds,
      answerActions,
      setEditing,
      selectBranch(entryId): void {
        const entry = conversations.get(id)?.tree.entries.get(entryId);
        if (!entry) return;
        void conversations.update(id, (one) => ({ ...one, chosen: { ...one.chosen, ...selectionOf(entry) } }));
      },
      edit,
      sendToolResults: (results) => answering.ask(id, { text: "", attachments: [], results }),
    };
  }, [session, returnTo, isHistoryStored, context, setEditing, setReplacing, edit]);
}

/** Returns how many prompt tokens to send after a request was too long. */
function maxPromptTokens({ error }: Answer, context: number | null): number {
  const maxContext = error?.details.max;
  return Math.floor((typeof maxContext === "number" ? maxContext : (context ?? DEFAULT_CONTEXT_TOKENS)) * PROMPT_SHARE);
}

function createConversation(models: readonly string[], settings: ChatSettings): Conversation {
  const at = Date.now();
  return {
    id: createUuid(),
    title: "",
    named: false,
    models,
    settings,
    chosen: {},
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
    ...NO_PLACE,
  };
}
