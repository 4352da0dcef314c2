import { type AnyCommand, defineCommand } from "../../../command.ts";
import { mailsEdit } from "./edit.ts";
import { mailsList } from "./list.ts";
import { mailsPreview } from "./preview.ts";
import { mailsReset } from "./reset.ts";
import { mailsShow } from "./show.ts";
import { mailsTest } from "./test.ts";

/** The commands of `admin mails`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(mailsList),
  defineCommand(mailsShow),
  defineCommand(mailsEdit),
  defineCommand(mailsPreview),
  defineCommand(mailsReset),
  defineCommand(mailsTest),
];
