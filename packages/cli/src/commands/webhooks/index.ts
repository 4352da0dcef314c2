import { type AnyCommand, defineCommand } from "../../command.ts";
import { webhooksCreate } from "./create.ts";
import { webhooksDelete } from "./delete.ts";
import { webhooksDeliveries } from "./deliveries.ts";
import { webhooksList } from "./list.ts";
import { webhooksReplay } from "./replay.ts";
import { webhooksRotate } from "./rotate.ts";
import { webhooksTest } from "./test-event.ts";
import { webhooksUpdate } from "./update.ts";

/** The commands of `webhooks`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(webhooksList),
  defineCommand(webhooksCreate),
  defineCommand(webhooksUpdate),
  defineCommand(webhooksRotate),
  defineCommand(webhooksDelete),
  defineCommand(webhooksTest),
  defineCommand(webhooksDeliveries),
  defineCommand(webhooksReplay),
];
