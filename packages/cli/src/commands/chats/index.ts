import { type AnyCommand, defineCommand } from "../../command.ts";
import { chatsDelete } from "./delete.ts";
import { chatsExport } from "./export.ts";
import { chatsImport } from "./import.ts";
import { chatsList } from "./list.ts";
import { chatsShare } from "./shares/create.ts";
import { chatsSharesList } from "./shares/list.ts";
import { chatsSharesRevoke } from "./shares/revoke.ts";
import { chatsShow } from "./show.ts";

/** The commands of `chats`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(chatsList),
  defineCommand(chatsShow),
  defineCommand(chatsExport),
  defineCommand(chatsImport),
  defineCommand(chatsDelete),
  defineCommand(chatsShare),
  defineCommand(chatsSharesList),
  defineCommand(chatsSharesRevoke),
];
