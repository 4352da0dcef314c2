import type { Conversation, ConversationEntry, Feather } from "@feather/sdk";

/** A conversation of the server with all its messages. */
export type StoredChat = { readonly conversation: Conversation; readonly entries: readonly ConversationEntry[] };
/** A question that is shown, with the answer of each model that has one. */
export type StoredTurn = { readonly question: ConversationEntry; readonly answers: readonly ConversationEntry[] };

/** Loads a conversation with all its messages. */
export async function loadStoredChat(
  { conversations }: Pick<Feather, "conversations">,
  id: string,
  signal: AbortSignal,
): Promise<StoredChat> {
  const conversation = await conversations.get(id, { signal });
  return { conversation, entries: await loadEntries({ conversations }, id, signal) };
}

/** Loads all messages of a conversation. */
export async function loadEntries(
  { conversations }: Pick<Feather, "conversations">,
  id: string,
  signal: AbortSignal,
): Promise<ConversationEntry[]> {
  const entries: ConversationEntry[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: Awaited<ReturnType<typeof conversations.entries>> = await conversations.entries(
      id,
      { after },
      { signal },
    );
    entries.push(...page.items);
    after = page.next_after;
  }
  return entries;
}

/** Returns the name of the place where questions follow these answers, as the chat page keeps it in `selected`. */
export const questionPlace = (after: readonly string[]): string => `q ${[...after].sort().join(" ")}`;
/** Returns the name of the place of a model's answer to a question. */
export const answerPlace = (question: string, lane: number): string => `a ${question} ${lane}`;

/** Returns the branch that is shown: the selected messages, and the newest where none is selected. */
export function shownTurns({ conversation: { selected }, entries }: StoredChat): StoredTurn[] {
  const sorted = [...entries].sort((a, b) => a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1));
  const choose = (candidates: readonly ConversationEntry[], place: string) =>
    candidates.find(({ id }) => id === selected[place]) ?? candidates.at(-1);
  const turns: StoredTurn[] = [];
  const seen = new Set<string>(); // another client may have saved a circle
  for (let after: string[] = []; ; ) {
    const place = questionPlace(after);
    const followers = sorted.filter(({ question }) => question && questionPlace(question.after) === place);
    const question = choose(followers, place);
    if (!question || seen.has(question.id)) return turns;
    seen.add(question.id);
    const answers = (question.question?.models ?? []).flatMap((_, lane) => {
      const versions = sorted.filter(({ answer }) => answer?.question === question.id && answer.lane === lane);
      return choose(versions, answerPlace(question.id, lane)) ?? [];
    });
    turns.push({ question, answers });
    if (answers.length === 0) return turns;
    after = answers.map(({ id }) => id);
  }
}

/** Returns the branch that is shown as Markdown. */
export function formatStoredChat(chat: StoredChat): string {
  const { title, settings } = chat.conversation;
  const system = typeof settings.system === "string" ? settings.system.trim() : "";
  const parts = [`# ${title || "New chat"}`, ...(system === "" ? [] : [`> ${system.replaceAll("\n", "\n> ")}`])];
  for (const { question, answers } of shownTurns(chat)) {
    const files = (question.question?.attachments ?? []).map(({ name }) => `*With the file ${name}.*`);
    parts.push("## You", question.text, ...files);
    for (const { text, answer } of answers) {
      parts.push(`## ${answer?.model ?? ""}`, text);
      if (answer?.state !== "done") parts.push("*The answer is not complete.*");
    }
  }
  return parts.filter((part) => part !== "").join("\n\n");
}
