import { type AnyCommand, defineCommand } from "../../command.ts";
import { organizationBilling } from "./billing.ts";
import { organizationSet } from "./set.ts";
import { organizationSetBilling } from "./set-billing.ts";
import { organizationShow } from "./show.ts";

/** The commands of `organization`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(organizationShow),
  defineCommand(organizationSet),
  defineCommand(organizationBilling),
  defineCommand(organizationSetBilling),
];
