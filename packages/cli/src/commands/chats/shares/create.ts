import { loadStoredChat, shownTurns } from "../../../chat/stored-chat.ts";
import type { Command } from "../../../command.ts";
import { formatDay } from "../../../output/time.ts";
import { CHAT_ARGUMENT } from "../argument.ts";
import { SHARE_FIELDS } from "./share.ts";

const DAYS = ["1", "7", "30"] as const;
type Days = 1 | 7 | 30;

/** Makes a link under which everybody who has it can read the branch of a chat that is shown. */
export const chatsShare: Command<{ readonly id: string; readonly days: Days }> = {
  name: "chats share",
  summary: "Make a link under which everybody can read a copy of a chat",
  description:
    "The copy has the branch that is shown, as it is now: questions, answers and names of files. What files hold, what models thought, tool calls and instructions are not in it. The organization must allow links: feather organization set --chat-links on.",
  arguments: [CHAT_ARGUMENT],
  flags: [{ name: "--days <days>", summary: "days until the link ends; 7 unless set", choices: [...DAYS] }],
  prints: "one",
  fields: SHARE_FIELDS,
  needs: "sign-in",
  examples: ["feather chats share 6f1c2a34-9d0e-4b7a-8c55-2f1e0a9b3c4d --days 30"],
  options: ([id = ""], { days = "7" }) => ({ id, days: Number(days) as Days }),
  async run({ client, output, signal }, { id, days }) {
    const api = await client();
    const turns = shownTurns(await loadStoredChat(api, id, signal));
    const entryIds = turns.flatMap(({ question, answers }) => [question.id, ...answers.map((answer) => answer.id)]);
    const share = await api.chatShares.create({ conversation_id: id, entry_ids: entryIds, days }, { signal });
    const message = `Everybody who has this link can read the chat until ${formatDay(share.expires_at)}.`;
    output.printChange({ value: share, id: share.url, message });
  },
};
